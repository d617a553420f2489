import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { JsonSession } from '../../../src/sessions/files/json-session.js';
import { ANSWER, HEADER, LEGACY_SESSIONS, legacyFile, QUESTION } from './session-text.js';

function push(...chunks: readonly string[]): JsonSession {
  const whole = new JsonSession();
  for (const chunk of chunks) whole.push(Buffer.from(chunk));
  return whole;
}

describe('a session as one object', () => {
  it.each(LEGACY_SESSIONS)('%s has at each byte the messages before it', (name) => {
    const bytes = readFileSync(legacyFile(name));
    const { messages, ...header } = JSON.parse(bytes.toString());
    const whole = new JsonSession();
    let known = 0;
    for (const [index, byte] of bytes.entries()) {
      // Looked at here and not by `expect`, which would take longer than all the rest.
      const isAwaited = !whole.isWhole && whole.push(Uint8Array.of(byte));
      if (!isAwaited) expect.fail(`byte ${index} was not waited for`);
      if (whole.messages.length === known) continue;
      known++;
      // It is there as soon as its last brace is.
      expect(String.fromCharCode(byte), `byte ${index}`).toBe('}');
      expect(whole.messages).toEqual(messages.slice(0, known));
    }
    expect(whole).toMatchObject({ isWhole: true, isFollowed: false, header, messages, damaged: 0 });
  });

  it('takes nothing from deeper down', () => {
    const inner = { sessionId: 'inner', summary: 'inner', messages: [QUESTION] };
    const message = { ...ANSWER, toolCalls: [{ id: 'c', name: 'x', args: inner }], inner };
    const whole = push(JSON.stringify({ other: inner, ...HEADER, messages: [message] }));
    expect(whole.header).toEqual(HEADER);
    expect(whole.messages).toEqual([message]);
  });

  it('takes the last version of a message that is there twice', () => {
    const newer = { ...ANSWER, content: 'newer' };
    const { messages } = push(JSON.stringify({ messages: [ANSWER, QUESTION, newer] }));
    expect(messages).toEqual([newer, QUESTION]);
  });

  it('need not have a header', () => {
    expect(push('{"messages":[]}')).toMatchObject({ header: undefined, messages: [], damaged: 0 });
    expect(push('{"sessionId":5}')).toMatchObject({ header: undefined });
  });

  it('stops at what is no JSON, and keeps what was before', () => {
    const whole = push(`{"sessionId":"s","messages":[${JSON.stringify(ANSWER)},oops`);
    expect(whole).toMatchObject({ isWhole: false, messages: [ANSWER], header: { sessionId: 's' } });
    expect(whole.push(Buffer.from(JSON.stringify(QUESTION)))).toBe(false);
    expect(whole.messages).toEqual([ANSWER]);
  });

  it.each([
    ['in the same piece', ['{"sessionId":"s"}\n{"x":1}']],
    ['in a later piece', ['{"sessionId":"s"}', '\n', '{"x":1}']],
  ])('is whole although something follows, which is said: %s', (_where, chunks) => {
    expect(push(...chunks)).toMatchObject({ isWhole: true, isFollowed: true });
  });

  it('is not followed by blanks', () => {
    expect(push('{"sessionId":"s"}', ' \r\n\n')).toMatchObject({
      isWhole: true,
      isFollowed: false,
    });
  });
});
