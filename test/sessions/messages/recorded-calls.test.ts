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
const told: SessionMessage = { id: 'told', type: 'user', content: result };
const toldAgain = { ...told, id: 'again' };

function record(...messages: readonly SessionMessage[]): RecordedCalls {
  const calls = new RecordedCalls();
  for (const message of messages) calls.add(message);
  return calls;
}

describe('the answer to a call', () => {
  it('is repeated by a message where it stands with the call', () => {
    expect(record(answered, told).isRepeated('c', told)).toBe(true);
    expect(record(told, answered).isRepeated('c', told)).toBe(true);
  });

  it('is first told by a message where the call has none, or is not there at all', () => {
    expect(record(called, told).isRepeated('c', told)).toBe(false);
    expect(record(told).isRepeated('c', told)).toBe(false);
    expect(record(told, told).isRepeated('c', told)).toBe(false);
  });

  it('is repeated by the second message that tells it', () => {
    expect(record(told, toldAgain).isRepeated('c', toldAgain)).toBe(true);
  });

  it('is never repeated without an id', () => {
    const anonymous = { ...told, content: [{ functionResponse: { name: 'glob' } }] };
    const calls = record(anonymous, { ...anonymous, id: 'again' });
    expect(calls.isRepeated('', { ...anonymous, id: 'again' })).toBe(false);
  });

  it('is told by the other where the first was taken back', () => {
    const calls = record(answered, told, toldAgain);
    calls.forget(answered);
    expect(calls.isRecorded('c')).toBe(false);
    expect(calls.isRepeated('c', toldAgain)).toBe(false);
  });

  it('stays where a message was taken back that only repeated it', () => {
    const calls = record(answered, told);
    calls.forget(told);
    expect(calls.isRecorded('c')).toBe(true);
    expect(calls.isRepeated('c', told)).toBe(true);
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
