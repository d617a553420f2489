import { expect, it } from 'vitest';
import { countOf } from '../../../src/base/text/count-of.js';

it.each([
  [0, '0 files'],
  [1, '1 file'],
  [2, '2 files'],
])('the noun after %d is %j', (count, expected) => {
  expect(countOf(count, 'file')).toBe(expected);
});
