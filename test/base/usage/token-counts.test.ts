import { describe, expect, it } from 'vitest';
import { addTokenCounts, NO_TOKENS, sumTokenCounts } from '../../../src/base/usage/token-counts.js';

describe('sumTokenCounts', () => {
  it('adds the counts of all messages that have some', () => {
    const tokens = [
      { input: 10, output: 2, cached: 4, thoughts: 1, total: 13 },
      { input: 1 },
      null,
      undefined,
    ];
    expect(sumTokenCounts(tokens)).toEqual({
      total: 13,
      input: 11,
      output: 2,
      cached: 4,
      thoughts: 1,
      tool: 0,
    });
  });

  it('returns zeros for no messages', () => {
    expect(sumTokenCounts([])).toEqual(NO_TOKENS);
  });
});

describe('addTokenCounts', () => {
  it('adds the counts of a turn', () => {
    const reported = { total: 18, input: 11, output: 7, cached: 4, thoughts: 0, tool: 0 };
    const twice = addTokenCounts(addTokenCounts(undefined, reported), reported);
    expect(twice).toEqual({ total: 36, input: 22, output: 14, cached: 8, thoughts: 0, tool: 0 });
  });
});
