import { expect, it } from 'vitest';
import { languageOf } from '../../../src/web/model/language-of.js';

it.each([
  ['src/a.ts', 'typescript'],
  ['a.test.TSX', 'typescript'],
  ['deep/page.html', 'xml'],
  ['Cargo.toml', 'ini'],
  ['.env', 'ini'],
  ['docs/README.md', 'markdown'],
  ['Makefile', undefined],
  ['ts', 'typescript'],
  ['a.ts/binary', undefined],
  ['a.constructor', undefined],
  ['constructor', undefined],
  ['', undefined],
])('the language of %j is %s', (path, language) => {
  expect(languageOf(path)).toBe(language);
});
