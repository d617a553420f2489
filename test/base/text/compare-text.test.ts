import { describe, expect, it } from 'vitest';
import { compareText } from '../../../src/base/text/compare-text.js';

describe('compareText', () => {
  it('sorts by code unit, in every locale', () => {
    expect(['b', 'ä', 'a', 'B', '', 'a'].sort(compareText)).toEqual(['', 'B', 'a', 'a', 'b', 'ä']);
  });
});
