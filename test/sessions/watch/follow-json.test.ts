import { unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SessionMessage } from '../../../src/api/session.js';
import { JsonFollower } from '../../../src/sessions/watch/follow-json.js';
import { ANSWER, HEADER, lines, QUESTION, sessionFile } from '../files/session-text.js';

function object(...messages: readonly unknown[]): string {
  return JSON.stringify({ ...HEADER, messages }, null, 2);
}

/** A file whose time moves on with each write, and somebody who follows it. */
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

function told(messages: readonly SessionMessage[], more: object = {}) {
  const reading = {
    written: messages,
    removed: [],
    isEverything: true,
    header: HEADER,
    problems: [],
  };
  return { ...reading, ...more };
}

describe('a file that is written anew each time', () => {
  it('is told as a whole where it has changed', async () => {
    const { write, readNew } = follow(object(QUESTION));
    expect(await readNew()).toEqual(told([QUESTION]));
    expect(await readNew()).toBeUndefined();
    write(object(QUESTION, ANSWER));
    expect(await readNew()).toEqual(told([QUESTION, ANSWER]));
    write(object(ANSWER));
    expect(await readNew()).toEqual(told([ANSWER]));
  });

  it('is told where only its time has changed', async () => {
    const { write, readNew } = follow(object(QUESTION));
    await readNew();
    write(object({ ...QUESTION, content: 'noitseuq' }));
    expect(await readNew()).toEqual(told([{ ...QUESTION, content: 'noitseuq' }]));
  });

  it('is looked at again where not even its time may have changed', async () => {
    const { file, readNew } = follow(object(QUESTION));
    const now = () => utimesSync(file, Date.now() / 1000, Date.now() / 1000);
    now();
    expect(await readNew()).toEqual(told([QUESTION]));
    expect(await readNew()).toEqual(told([QUESTION]));
  });

  it('is waited for while it is being written', async () => {
    const { write, readNew } = follow(object(QUESTION), 1_000_000);
    await readNew();
    const whole = object(QUESTION, ANSWER);
    for (const part of ['', whole.slice(0, 1), whole.slice(0, 30), whole.slice(0, -3)]) {
      write(part);
      expect(await readNew()).toBeUndefined();
      expect(await readNew()).toBeUndefined();
    }
    write(whole);
    expect(await readNew()).toEqual(told([QUESTION, ANSWER]));
  });

  it('is told as far as it goes where nobody ends it, and nothing counts as taken back', async () => {
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

  it('is not waited for where something else is wrong with it, which is told once', async () => {
    const { write, readNew } = follow(object(QUESTION, 'odd'));
    expect(await readNew()).toMatchObject({
      written: [QUESTION],
      isEverything: true,
      problems: [{ kind: 'damaged-message' }],
    });
    write(object(QUESTION, 'odd', ANSWER));
    expect(await readNew()).toEqual(told([QUESTION, ANSWER]));
  });

  it('may have the newer form all the same', async () => {
    const { readNew } = follow(lines(HEADER, QUESTION, ANSWER));
    expect(await readNew()).toEqual(told([QUESTION, ANSWER]));
  });

  it('is an error where it is gone', async () => {
    const { file, readNew } = follow(object());
    unlinkSync(file);
    await expect(readNew()).rejects.toThrow('ENOENT');
  });
});
