import { describe, expect, it } from 'vitest';
import { addTokenCounts, NO_TOKENS, sumTokenCounts } from '../../../src/base/usage/token-counts.js';

describe('the tokens of some messages', () => {
  it('are those of all that have any', () => {
    const tokens = [
      { input: 10, output: 2, cached: 4, thoughts: 1, total: 13 },
      { input: 1 },
      null,
      undefined,
    ];
    expect(sumTokenCounts(tokens)).toEqual({ total: 13, input: 11, output: 2, cached: 4 });
  });

  it('are none where there are none', () => {
    expect(sumTokenCounts([])).toEqual(NO_TOKENS);
  });
});

describe('the tokens of a turn', () => {
  it('are summed', () => {
    const told = { total: 18, input: 11, output: 7, cached: 4 };
    const twice = addTokenCounts(addTokenCounts(undefined, told), told);
    expect(twice).toEqual({ total: 36, input: 22, output: 14, cached: 8 });
  });
});
