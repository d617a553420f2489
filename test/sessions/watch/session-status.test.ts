import { describe, expect, it } from 'vitest';
import { SessionStatus } from '../../../src/sessions/watch/session-status.js';

const tokens = { input: 100, output: 10, cached: 50, thoughts: 5, total: 115 };
const answer = { id: 'a', type: 'gemini', model: 'flash', tokens };

describe('the status of a session', () => {
  it('is not reported at the beginning', () => {
    const status = new SessionStatus();
    expect(status.take(undefined)).toBeUndefined();
    expect(status.take({ sessionId: 's' })).toBeUndefined();
    status.accept({ id: 'q', type: 'user', content: 'x' });
    expect(status.take(undefined)).toBeUndefined();
  });

  it('is reported once for each change', () => {
    const status = new SessionStatus();
    status.accept(answer);
    expect(status.take({ sessionId: 's', summary: 'short' })).toEqual({
      type: 'status',
      model: 'flash',
      tokens: { total: 115, input: 100, output: 10, cached: 50, thoughts: 5, tool: 0 },
      contextTokens: 100,
      summary: 'short',
    });
    expect(status.take(undefined)).toBeUndefined();
  });

  it('counts the last version of each answer', () => {
    const status = new SessionStatus();
    status.accept({ ...answer, tokens: null });
    status.accept(answer);
    status.accept({ ...answer, id: 'b', tokens: { ...tokens, input: 300 } });
    status.accept({ ...answer, id: 'b', tokens: { input: 200, total: 200 } });
    expect(status.take(undefined)).toMatchObject({
      tokens: { total: 315, input: 300, output: 10, cached: 50, thoughts: 5, tool: 0 },
      contextTokens: 200,
    });
    status.remove('a');
    status.remove('nobody');
    expect(status.take(undefined)).toMatchObject({ tokens: { total: 200, input: 200, cached: 0 } });
  });

  it('knows the last model and the last thought', () => {
    const status = new SessionStatus();
    status.accept({ ...answer, thoughts: [{ subject: 'One' }, { subject: 'Two' }] });
    expect(status.take(undefined)).toMatchObject({ model: 'flash', thinking: 'Two' });
    status.accept({ id: 'b', type: 'gemini', model: 'pro', thoughts: [{ description: 'hm' }] });
    expect(status.take(undefined)).toMatchObject({ model: 'pro', thinking: 'hm' });
    status.accept({ id: 'c', type: 'gemini', thoughts: [] });
    expect(status.take(undefined)).toBeUndefined();
  });
});
