import { unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SessionMessage } from '../../../src/api/session.js';
import { JsonFollower } from '../../../src/sessions/watch/follow-json.js';
import { ANSWER, HEADER, lines, QUESTION, sessionFile } from '../files/session-text.js';

function object(...messages: readonly unknown[]): string {
  return JSON.stringify({ ...HEADER, messages }, null, 2);
}

/** Creates a file whose time advances with each write, and a follower. */
function follow(text: string, patienceMs?: number) {
  const file = sessionFile(text, 'session.json');
  const follower = new JsonFollower(patienceMs);
  let seconds = 1_800_000_000;
  const write = (next: string) => {
    writeFileSync(file, next);
    seconds += 10;
    utimesSync(file, seconds, seconds);
  };
  write(text);
  return { file, write, readNew: () => follower.readNew(file) };
}

function reading(messages: readonly SessionMessage[], more: object = {}) {
  const reading = {
    written: messages,
    removed: [],
    isEverything: true,
    header: HEADER,
    problems: [],
  };
  return { ...reading, ...more };
}

describe('a file that is rewritten for each message', () => {
  it('is reported as a whole after a change', async () => {
    const { write, readNew } = follow(object(QUESTION));
    expect(await readNew()).toEqual(reading([QUESTION]));
    expect(await readNew()).toBeUndefined();
    write(object(QUESTION, ANSWER));
    expect(await readNew()).toEqual(reading([QUESTION, ANSWER]));
    write(object(ANSWER));
    expect(await readNew()).toEqual(reading([ANSWER]));
  });

  it('is reported if only its time has changed', async () => {
    const { write, readNew } = follow(object(QUESTION));
    await readNew();
    write(object({ ...QUESTION, content: 'noitseuq' }));
    expect(await readNew()).toEqual(reading([{ ...QUESTION, content: 'noitseuq' }]));
  });

  it('is read again while it is so new that its time may not change', async () => {
    // The clock stands still: on a busy machine the file would not be new any more.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { file, readNew } = follow(object(QUESTION));
    utimesSync(file, Date.now() / 1000, Date.now() / 1000);
    expect(await readNew()).toEqual(reading([QUESTION]));
    expect(await readNew()).toEqual(reading([QUESTION]));
  });

  it('is not reported while it is being written', async () => {
    const { write, readNew } = follow(object(QUESTION), 1_000_000);
    await readNew();
    const whole = object(QUESTION, ANSWER);
    for (const part of ['', whole.slice(0, 1), whole.slice(0, 30), whole.slice(0, -3)]) {
      write(part);
      expect(await readNew()).toBeUndefined();
      expect(await readNew()).toBeUndefined();
    }
    write(whole);
    expect(await readNew()).toEqual(reading([QUESTION, ANSWER]));
  });

  it('is reported as far as readable if it stays incomplete, without removed messages', async () => {
    const { write, readNew } = follow(object(QUESTION, ANSWER), 0);
    await readNew();
    const whole = object({ ...QUESTION, content: 'new' }, ANSWER);
    write(whole.slice(0, -20));
    expect(await readNew()).toBeUndefined();
    expect(await readNew()).toMatchObject({
      written: [{ content: 'new' }],
      isEverything: false,
      problems: [{ kind: 'truncated' }],
    });
    expect(await readNew()).toBeUndefined();
    write('');
    expect(await readNew()).toBeUndefined();
    expect(await readNew()).toMatchObject({ written: [], isEverything: false });
  });

  it('is reported at once with other damage, which is reported once', async () => {
    const { write, readNew } = follow(object(QUESTION, 'odd'));
    expect(await readNew()).toMatchObject({
      written: [QUESTION],
      isEverything: true,
      problems: [{ kind: 'damaged-message' }],
    });
    write(object(QUESTION, 'odd', ANSWER));
    expect(await readNew()).toEqual(reading([QUESTION, ANSWER]));
  });

  it('may have the newer format', async () => {
    const { readNew } = follow(lines(HEADER, QUESTION, ANSWER));
    expect(await readNew()).toEqual(reading([QUESTION, ANSWER]));
  });

  it('is an error if it is missing', async () => {
    const { file, readNew } = follow(object());
    unlinkSync(file);
    await expect(readNew()).rejects.toThrow('ENOENT');
  });
});
