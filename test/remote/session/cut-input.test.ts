import { expect, it } from 'vitest';
import { cutInput } from '../../../src/remote/session/cut-input.js';
import { cutText } from '../../../src/remote/session/cut-text.js';

it('cuts a long text and says how much is missing', () => {
  expect(cutText('abc', 3)).toBe('abc');
  expect(cutText('abcde', 3)).toBe('abc\n… 2 more characters');
  expect(cutText(undefined, 3)).toBeUndefined();
});

it('shows arguments as they are, and cuts each of them if all together are long', () => {
  const short = { content: 'x'.repeat(10_000), n: 1 };
  expect(cutInput(short)).toBe(short);
  const lines = Array.from({ length: 1_000 }, (_, index) => `line ${index}`);
  const long = { path: 'a.txt', content: 'x'.repeat(70_000), lines, n: 1 };
  expect(cutInput(long)).toEqual({
    path: 'a.txt',
    content: `${'x'.repeat(4_000)}\n… 66000 more characters`,
    lines: expect.stringMatching(/^\["line 0",.*\n… \d+ more characters$/s),
    n: '1',
  });
});
