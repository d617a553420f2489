import { describe, expect, it } from 'vitest';
import { parseSessionLine } from '../../../src/sessions/files/session-line.js';

describe('a line of a session file', () => {
  it('may be the header', () => {
    const header = {
      sessionId: 's',
      projectHash: 'h',
      startTime: 't',
      kind: 'main',
      directories: [],
    };
    expect(parseSessionLine(header)).toEqual({ line: { kind: 'header', header }, damaged: 0 });
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
  ])('may be a message, whose unknown fields are kept: %j', (message) => {
    expect(parseSessionLine(message)).toEqual({
      line: { kind: 'message', message },
      damaged: 0,
    });
  });

  it('may replace all messages', () => {
    const messages = [{ id: '1', type: 'user', content: 'text' }];
    expect(parseSessionLine({ $set: { messages, lastUpdated: 't' } })).toEqual({
      line: { kind: 'change', header: { lastUpdated: 't' }, messages },
      damaged: 0,
    });
  });

  it('may change the header', () => {
    expect(parseSessionLine({ $set: { lastUpdated: 't' } })).toEqual({
      line: { kind: 'change', header: { lastUpdated: 't' } },
      damaged: 0,
    });
  });

  it('may go back to an earlier message', () => {
    expect(parseSessionLine({ $rewindTo: '1' })).toEqual({
      line: { kind: 'rewind', id: '1' },
      damaged: 0,
    });
  });

  it('is a message if it has the fields of a header too', () => {
    const message = { id: '1', type: 'user', sessionId: 's' };
    expect(parseSessionLine(message)?.line.kind).toBe('message');
    expect(parseSessionLine({ sessionId: 's', type: 'x' })?.line.kind).toBe('header');
    expect(parseSessionLine({ sessionId: 's', id: 5 })?.line.kind).toBe('header');
  });

  it('is damaged if a field has an unknown form, and keeps the other fields', () => {
    expect(parseSessionLine({ sessionId: 's', startTime: 5, kind: 'main' })).toEqual({
      line: { kind: 'header', header: { sessionId: 's', kind: 'main' } },
      damaged: 1,
    });
    expect(parseSessionLine({ $set: { summary: 's', lastUpdated: {}, messages: [5] } })).toEqual({
      line: { kind: 'change', header: { summary: 's' }, messages: [] },
      damaged: 2,
    });
    expect(parseSessionLine({ $set: { messages: 'none' } })).toEqual({
      line: { kind: 'change', header: {} },
      damaged: 0,
    });
  });

  it.each([
    {},
    { something: 'else' },
    { id: 1, type: 'user' },
    { id: '1' },
    { sessionId: 5 },
    { $set: 'x' },
    { $rewindTo: 5 },
    [],
  ])('is no record of a session: %j', (value) => {
    expect(parseSessionLine(value)).toBeUndefined();
  });
});
