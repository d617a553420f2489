import { describe, expect, it } from 'vitest';
import type { FoldedChange } from '../../../src/sessions/files/fold-session.js';
import { JsonlSession } from '../../../src/sessions/files/jsonl-session.js';
import { ANSWER, HEADER, lines, QUESTION } from './session-text.js';

describe('the lines of a session', () => {
  const text = lines(
    HEADER,
    QUESTION,
    'garbage',
    ANSWER,
    { $rewindTo: 'a' },
    { $set: { messages: [ANSWER] } },
  );

  it('give the same session for any chunk sizes', () => {
    const bytes = Buffer.from(text);
    const whole = new JsonlSession();
    whole.push(bytes);
    const bitByBit = new JsonlSession();
    for (const byte of bytes) bitByBit.push(Buffer.of(byte));
    expect(bitByBit.fold.messages).toEqual(whole.fold.messages);
    expect(bitByBit.fold.header).toEqual(whole.fold.header);
    expect(bitByBit.diagnostics).toEqual(whole.diagnostics);
  });

  it('report the change of each line', () => {
    const changes: FoldedChange[] = [];
    new JsonlSession((change) => changes.push(change)).push(Buffer.from(text));
    expect(changes).toEqual([
      { written: [], removed: [] },
      { written: [QUESTION], removed: [] },
      { written: [ANSWER], removed: [] },
      { written: [], removed: ['a'] },
      { written: [ANSWER], removed: ['q'] },
    ]);
  });

  it('keep the last line open until end()', () => {
    const open = new JsonlSession();
    open.push(Buffer.from(JSON.stringify(ANSWER)));
    expect(open.fold.messages).toEqual([]);
    open.end();
    expect(open.fold.messages).toEqual([ANSWER]);
    expect(open.diagnostics).toEqual([]);
  });

  it('have a torn line only if the last one is incomplete', () => {
    const torn = new JsonlSession();
    torn.push(Buffer.from('{"id":"x",\n{"id":"y",'));
    torn.end();
    expect(torn.diagnostics.map(({ kind }) => kind)).toEqual(['garbage', 'torn-line']);
  });
});

describe('a line with two records', () => {
  it('is read as two lines, and only what is damaged is reported', () => {
    const session = new JsonlSession();
    const [question, answer] = [JSON.stringify(QUESTION), JSON.stringify(ANSWER)];
    session.push(Buffer.from(`${JSON.stringify(HEADER)}${question}\n${answer}{"id":"to\n`));
    session.end();
    expect(session.fold.header).toEqual(HEADER);
    expect(session.fold.messages).toEqual([QUESTION, ANSWER]);
    expect(session.diagnostics).toEqual([
      { kind: 'garbage', line: 2, message: 'Line 2: not a record of a session' },
    ]);
  });
});
