import { expect, it } from 'vitest';
import { parseBytes } from '../../../src/base/text/parse-bytes.js';

it.each([
  ['1', 1],
  ['500000', 500_000],
  ['64MB', 64 * 1024 ** 2],
  ['64 mb', 64 * 1024 ** 2],
  ['1.5g', 1.5 * 1024 ** 3],
  ['2KiB', 2048],
  ['1T', 1024 ** 4],
  ['0', undefined],
  ['-1', undefined],
  ['', undefined],
  ['MB', undefined],
  ['5 parsecs', undefined],
  ['999999999999999T', undefined],
])('%s is %s bytes', (text, bytes) => {
  expect(parseBytes(text)).toBe(bytes);
});
