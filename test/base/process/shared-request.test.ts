import { describe, expect, it } from 'vitest';
import { SharedRequest } from '../../../src/base/process/shared-request.js';
import { unlessAborted } from '../../../src/base/process/timing.js';

/** Says 'never' when it is given up, and counts. */
function ask() {
  const ends: string[] = [];
  let answer = (_text: string): void => {};
  const given = new Promise<string>((resolve) => {
    answer = resolve;
  });
  const question = new SharedRequest(async (signal) => {
    const text = await unlessAborted(given, signal).catch(() => 'never');
    ends.push(text);
    return text;
  });
  return { question, ends, answer: (text: string) => answer(text) };
}

describe('a question that several wait for', () => {
  it('gives all of them the same answer, also those that come later', async () => {
    const { question, answer, ends } = ask();
    const waits = [question.wait(undefined), question.wait(new AbortController().signal)];
    answer('42');
    expect(await Promise.all(waits)).toEqual(['42', '42']);
    expect(await question.wait(undefined)).toBe('42');
    expect(ends).toEqual(['42']);
    expect(question.isGivenUp).toBe(false);
  });

  it('goes on where one of them leaves', async () => {
    const { question, answer } = ask();
    const cancel = new AbortController();
    const [leaving, staying] = [question.wait(cancel.signal), question.wait(undefined)];
    cancel.abort('enough');
    await expect(leaving).rejects.toBe('enough');
    expect(question.isGivenUp).toBe(false);
    answer('42');
    expect(await staying).toBe('42');
  });

  it('is given up where all leave, and is over when they learn of it', async () => {
    const { question, ends } = ask();
    const cancel = new AbortController();
    const waits = [question.wait(cancel.signal), question.wait(cancel.signal)];
    cancel.abort('enough');
    expect(await Promise.allSettled(waits)).toMatchObject([
      { reason: 'enough' },
      { reason: 'enough' },
    ]);
    expect(question.isGivenUp).toBe(true);
    expect(ends).toEqual(['never']);
  });
});
