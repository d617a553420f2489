import { expect, it } from 'vitest';
import { dotPath } from '../../../src/base/text/dot-path.js';

it('a path is text, also with an index or a symbol in it', () => {
  expect(dotPath(['env', 0, Symbol('x')])).toBe('env.0.Symbol(x)');
  expect(dotPath([])).toBe('');
});
