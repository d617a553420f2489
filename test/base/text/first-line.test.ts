import { expect, it } from 'vitest';
import { firstLine } from '../../../src/base/text/first-line.js';

it.each([
  ['', ''],
  ['one', 'one'],
  ['one\ntwo', 'one'],
  ['\n  one\ntwo\n', 'one'],
])('the first line of %j is %j', (text, expected) => {
  expect(firstLine(text)).toBe(expected);
});
