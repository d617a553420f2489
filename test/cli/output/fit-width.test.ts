import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fitMiddle, fitWidth, widthOf } from '../../../src/cli/output/fit-width.js';

it.each([
  ['日本a', 5],
  ['e\u0301', 1],
  ['⚠\ufe0f', 2],
  ['a\u00adb', 3],
  ['\u{17000}', 2],
  ['🙂', 2],
  ['\u001b[31mred\u001b[39m', 3],
])('widthOf counts the columns of %s', (text, columns) => {
  expect(widthOf(text)).toBe(columns);
});

it('fitWidth leaves out the end, fitMiddle the middle', () => {
  expect(fitWidth('日本a', 5)).toBe('日本a');
  expect(fitWidth('日本a', 4)).toBe('日…');
  expect(fitWidth('abc', 0)).toBe('');
  expect(fitMiddle('convert[src/a/b/module.js]', 16)).toBe('convert[…ule.js]');
  expect(fitMiddle('abcdef', 6)).toBe('abcdef');
  expect(fitMiddle('abcdef', 1)).toBe('…');
  expect(fitMiddle('abcdef', 0)).toBe('');
});

it('a shortened text never takes more columns than there are', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, columns) => {
      expect(widthOf(fitWidth(text, columns))).toBeLessThanOrEqual(columns);
      expect(widthOf(fitMiddle(text, columns))).toBeLessThanOrEqual(columns);
    }),
  );
});
