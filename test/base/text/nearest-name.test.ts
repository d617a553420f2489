import { describe, expect, it } from 'vitest';
import { createSuggest } from '../../../src/base/text/nearest-name.js';

describe('a suggestion', () => {
  const suggest = createSuggest(['model', 'retries', 'maxTotalTokens', 'a', 'for', 'convert/all']);

  it.each([
    ['modle', 'model'],
    ['retires', 'retries'],
    ['max-total-token', 'maxTotalTokens'],
    ['MAX_TOTAL_TOKENS', 'maxTotalTokens'],
    ['fo', 'for'],
    ['convert_all', 'convert/all'],
  ])('for %s is %s', (name, nearest) => {
    expect(suggest(name)).toBe(`. Did you mean "${nearest}"?`);
  });

  it.each([['b'], ['xyz'], ['something else'], ['']])('for %j does not exist', (name) => {
    expect(suggest(name)).toBe('');
  });

  it('is not searched for beyond the limit of comparisons', () => {
    const limited = createSuggest(['model', 'other'], 5);
    expect(['modle', 'modle', 'modle'].map(limited).filter((text) => text !== '')).toHaveLength(2);
  });
});
