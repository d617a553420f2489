import { describe, expect, it } from 'vitest';
import { checkTurn } from '../../src/testing/check-turn.js';

describe('a turn', () => {
  it('may have all fields at once', () => {
    const turn = {
      text: ['a'],
      thoughts: ['b'],
      toolCalls: [{ name: 'c', args: {} }],
      finishReason: 'STOP',
      usage: { prompt: 1, output: 2, cached: 3, thoughts: 4 },
      latencyMs: 1,
      chunkDelayMs: 1,
      error: { status: 429, message: 'd', details: [], retryDelay: '2s' },
      drop: 'before',
      endless: 'repeat',
      rawBody: '',
    };
    expect(() => checkTurn(turn, 'turn')).not.toThrow();
  });

  it('is refused with the given path in the message', () => {
    expect(() => checkTurn({ text: 5 }, 'here')).toThrow('here.text must be a string');
  });
});
