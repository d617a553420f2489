import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { JsonSession } from '../../../src/sessions/files/json-session.js';
import { ANSWER, HEADER, LEGACY_SESSIONS, legacyFile, QUESTION } from './session-text.js';

function push(...chunks: readonly string[]): JsonSession {
  const whole = new JsonSession();
  for (const chunk of chunks) whole.push(Buffer.from(chunk));
  return whole;
}

describe('a session as one JSON object', () => {
  it.each(LEGACY_SESSIONS)('%s has at each byte the messages before that byte', (name) => {
    const bytes = readFileSync(legacyFile(name));
    const { messages, ...header } = JSON.parse(bytes.toString());
    const whole = new JsonSession();
    let known = 0;
    for (const [index, byte] of bytes.entries()) {
      // Compare here: `expect` would take longer than the whole test.
      const isAwaited = !whole.isWhole && whole.push(Uint8Array.of(byte));
      if (!isAwaited) expect.fail(`byte ${index} was not waited for`);
      if (whole.messages.length === known) continue;
      known++;
      // A message is known as soon as its last brace is read.
      expect(String.fromCharCode(byte), `byte ${index}`).toBe('}');
      expect(whole.messages).toEqual(messages.slice(0, known));
    }
    expect(whole).toMatchObject({ isWhole: true, isFollowed: false, header, messages, damaged: 0 });
  });

  it('takes no fields from deeper levels', () => {
    const inner = { sessionId: 'inner', summary: 'inner', messages: [QUESTION] };
    const message = { ...ANSWER, toolCalls: [{ id: 'c', name: 'x', args: inner }], inner };
    const whole = push(JSON.stringify({ other: inner, ...HEADER, messages: [message] }));
    expect(whole.header).toEqual(HEADER);
    expect(whole.messages).toEqual([message]);
  });

  it('takes the last version of a repeated message', () => {
    const newer = { ...ANSWER, content: 'newer' };
    const { messages } = push(JSON.stringify({ messages: [ANSWER, QUESTION, newer] }));
    expect(messages).toEqual([newer, QUESTION]);
  });

  it('may have no header', () => {
    expect(push('{"messages":[]}')).toMatchObject({ header: undefined, messages: [], damaged: 0 });
    expect(push('{"sessionId":5}')).toMatchObject({ header: undefined });
  });

  it('stops at invalid JSON and keeps the messages before it', () => {
    const whole = push(`{"sessionId":"s","messages":[${JSON.stringify(ANSWER)},oops`);
    expect(whole).toMatchObject({ isWhole: false, messages: [ANSWER], header: { sessionId: 's' } });
    expect(whole.push(Buffer.from(JSON.stringify(QUESTION)))).toBe(false);
    expect(whole.messages).toEqual([ANSWER]);
  });

  it.each([
    ['in the same piece', ['{"sessionId":"s"}\n{"x":1}']],
    ['in a later piece', ['{"sessionId":"s"}', '\n', '{"x":1}']],
  ])('is whole and reports content after it: %s', (_where, chunks) => {
    expect(push(...chunks)).toMatchObject({ isWhole: true, isFollowed: true });
  });

  it('does not report blanks after it', () => {
    expect(push('{"sessionId":"s"}', ' \r\n\n')).toMatchObject({
      isWhole: true,
      isFollowed: false,
    });
  });
});
