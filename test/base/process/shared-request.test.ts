import { describe, expect, it } from 'vitest';
import { SharedRequest } from '../../../src/base/process/shared-request.js';
import { unlessAborted } from '../../../src/base/process/timing.js';

/** Creates a request that resolves to 'never' when it is aborted, and records each result in `ends`. */
function ask() {
  const ends: string[] = [];
  let answer = (_text: string): void => {};
  const given = new Promise<string>((resolve) => {
    answer = resolve;
  });
  const request = new SharedRequest(async (signal) => {
    const text = await unlessAborted(given, signal).catch(() => 'never');
    ends.push(text);
    return text;
  });
  return { request, ends, answer: (text: string) => answer(text) };
}

describe('a request shared by several callers', () => {
  it('returns the same result to all callers, also to later ones', async () => {
    const { request, answer, ends } = ask();
    const waits = [request.wait(undefined), request.wait(new AbortController().signal)];
    answer('42');
    expect(await Promise.all(waits)).toEqual(['42', '42']);
    expect(await request.wait(undefined)).toBe('42');
    expect(ends).toEqual(['42']);
    expect(request.isAborted).toBe(false);
  });

  it('continues if one caller leaves', async () => {
    const { request, answer } = ask();
    const cancel = new AbortController();
    const [leaving, staying] = [request.wait(cancel.signal), request.wait(undefined)];
    cancel.abort('enough');
    await expect(leaving).rejects.toBe('enough');
    expect(request.isAborted).toBe(false);
    answer('42');
    expect(await staying).toBe('42');
  });

  it('is aborted if all callers leave, and has ended when they are rejected', async () => {
    const { request, ends } = ask();
    const cancel = new AbortController();
    const waits = [request.wait(cancel.signal), request.wait(cancel.signal)];
    cancel.abort('enough');
    expect(await Promise.allSettled(waits)).toMatchObject([
      { reason: 'enough' },
      { reason: 'enough' },
    ]);
    expect(request.isAborted).toBe(true);
    expect(ends).toEqual(['never']);
  });
});
