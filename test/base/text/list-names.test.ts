import { expect, it } from 'vitest';
import { listNames } from '../../../src/base/text/list-names.js';

it.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a or b'],
  [['a', 'b', 'c'], 'a, b or c'],
])('%j is %s', (names, text) => {
  expect(listNames(names)).toBe(text);
});
