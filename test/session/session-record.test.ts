import { describe, expect, it } from 'vitest';
import { parseSessionRecord, wholeSession } from '../../src/session/session-record.js';

describe('a line of a session file', () => {
  it('may be the header', () => {
    const header = {
      sessionId: 's',
      projectHash: 'h',
      startTime: 't',
      kind: 'main',
      directories: [],
    };
    expect(parseSessionRecord(header)).toEqual({ kind: 'header', header });
  });

  it.each([
    { id: '1', type: 'user', content: 'text' },
    { id: '1', type: 'user', content: [{ text: 'a' }, { functionResponse: { id: 'x' } }] },
    { id: '1', type: 'gemini', content: '', tokens: null, thoughts: [{ subject: 's' }] },
    { id: '1', type: 'info' },
    {
      id: '1',
      type: 'gemini',
      content: '',
      model: 'm',
      tokens: { input: 1, output: 2, cached: 0, thoughts: 5, total: 3 },
      toolCalls: [{ id: 'c', name: 'glob', args: { pattern: '*' }, status: 'success', extra: 1 }],
    },
  ])('may be a message, with the fields nobody knows kept: %j', (message) => {
    expect(parseSessionRecord(message)).toEqual({ kind: 'message', message });
  });

  it('may replace all messages', () => {
    const messages = [{ id: '1', type: 'user', content: 'text' }];
    expect(parseSessionRecord({ $set: { messages, lastUpdated: 't' } })).toEqual({
      kind: 'change',
      messages,
    });
  });

  it('may change something else', () => {
    expect(parseSessionRecord({ $set: { lastUpdated: 't' } })).toEqual({
      kind: 'change',
      messages: undefined,
    });
  });

  it('may go back to an earlier message', () => {
    expect(parseSessionRecord({ $rewindTo: '1' })).toEqual({ kind: 'rewind', id: '1' });
  });

  it.each([
    {},
    { something: 'else' },
    { id: 1, type: 'user' },
    { id: '1' },
    { id: '1', type: 'gemini', toolCalls: [{ name: 'no id' }] },
    { sessionId: 5 },
    { $set: 'x' },
    { $set: { messages: 'x' } },
    { $set: { messages: [{}] } },
    { $rewindTo: 5 },
    [],
  ])('is none of these: %j', (value) => {
    expect(parseSessionRecord(value)).toBeUndefined();
  });
});

describe('a session of the older generation', () => {
  it('is one object with all messages', () => {
    const session = { sessionId: 's', startTime: 't', summary: 'x', messages: [] };
    expect(wholeSession.safeParse(session)).toMatchObject({ success: true, data: session });
  });

  it('needs its id and its messages', () => {
    expect(wholeSession.safeParse({ sessionId: 's' }).success).toBe(false);
    expect(wholeSession.safeParse({ messages: [] }).success).toBe(false);
  });
});
