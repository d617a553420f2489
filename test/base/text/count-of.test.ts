import { expect, it } from 'vitest';
import { countOf } from '../../../src/base/text/count-of.js';

it('a count has its noun in the singular for one and in the plural otherwise', () => {
  expect([0, 1, 2].map((count) => countOf(count, 'step'))).toEqual([
    '0 steps',
    '1 step',
    '2 steps',
  ]);
});
