import { describe, expect, it } from 'vitest';
import { NO_TOKENS, sumTokens } from '../../../src/sessions/files/token-sum.js';

describe('the tokens of some messages', () => {
  it('are those of all that have any', () => {
    const messages = [
      {
        id: '1',
        type: 'gemini',
        tokens: { input: 10, output: 2, cached: 4, thoughts: 1, total: 13 },
      },
      { id: '2', type: 'gemini', tokens: { input: 1 } },
      { id: '3', type: 'gemini', tokens: null },
      { id: '4', type: 'user' },
    ];
    expect(sumTokens(messages)).toEqual({ total: 13, input: 11, output: 2, cached: 4 });
  });

  it('are none where there are none', () => {
    expect(sumTokens([])).toEqual(NO_TOKENS);
  });
});
