import { describe, expect, it } from 'vitest';
import type { SessionMessage } from '../../../src/api/session.js';
import { idOf, RecordedCalls } from '../../../src/sessions/messages/recorded-calls.js';

const result = [{ functionResponse: { id: 'c', name: 'glob', response: { output: 'x' } } }];
const called: SessionMessage = {
  id: 'call',
  type: 'gemini',
  toolCalls: [{ id: 'c', name: 'glob' }],
};
const answered = { ...called, toolCalls: [{ id: 'c', name: 'glob', result }] };
const answering: SessionMessage = {
  id: 'answering',
  type: 'user',
  content: result,
  timestamp: '1',
};
const repeated = { ...answering, id: 'again', timestamp: '2' };

function record(...messages: readonly SessionMessage[]): RecordedCalls {
  const calls = new RecordedCalls();
  for (const message of messages) calls.add(message);
  return calls;
}

describe('the answer to a call', () => {
  it('is repeated by a message if the call has it', () => {
    expect(record(answered, answering).isRepeated('c', answering)).toBe(true);
    expect(record(answering, answered).isRepeated('c', answering)).toBe(true);
  });

  it('is new in a message if the call has none or is not recorded', () => {
    expect(record(called, answering).isRepeated('c', answering)).toBe(false);
    expect(record(answering).isRepeated('c', answering)).toBe(false);
    expect(record(answering, answering).isRepeated('c', answering)).toBe(false);
  });

  it('is repeated by the second message with it', () => {
    for (const calls of [record(answering, repeated), record(repeated, answering)]) {
      expect(calls.isRepeated('c', repeated)).toBe(true);
      expect(calls.isRepeated('c', answering)).toBe(false);
    }
  });

  it('is never repeated without an id', () => {
    const anonymous = { ...answering, content: [{ functionResponse: { name: 'glob' } }] };
    const calls = record(anonymous, { ...anonymous, id: 'again' });
    expect(calls.isRepeated('', { ...anonymous, id: 'again' })).toBe(false);
  });

  it('is new in the other message if the first was removed', () => {
    const calls = record(answered, answering, repeated);
    calls.forget(answered);
    expect(calls.isRecorded('c')).toBe(false);
    expect(calls.isRepeated('c', answering)).toBe(false);
    expect(calls.isRepeated('c', repeated)).toBe(true);
  });

  it('is that of the newer version if a message has changed', () => {
    const calls = record(answered, answering);
    expect(calls.replace(answered, { ...called, toolCalls: [] })).toEqual(['c']);
    expect(calls.isRecorded('c')).toBe(false);
    expect(calls.isRepeated('c', answering)).toBe(false);
    expect(calls.messagesAbout('c')).toEqual(['answering']);
  });

  it('stays if a message that only repeated it was removed', () => {
    const calls = record(answered, answering);
    calls.forget(answering);
    expect(calls.isRecorded('c')).toBe(true);
    expect(calls.isRepeated('c', answering)).toBe(true);
  });
});

describe('the id of a call', () => {
  it.each([
    [{ id: 'c' }, 'c'],
    [{ id: 7 }, ''],
    [null, ''],
    ['c', ''],
  ])('of %j is %j', (value, id) => {
    expect(idOf(value)).toBe(id);
  });
});
