import { describe, expect, it } from 'vitest';
import { compareText } from '../../../src/base/text/compare-text.js';

describe('texts', () => {
  it('are sorted by code unit, in every language', () => {
    expect(['b', 'ä', 'a', 'B', '', 'a'].sort(compareText)).toEqual(['', 'B', 'a', 'a', 'b', 'ä']);
  });
});
