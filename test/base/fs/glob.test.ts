import { describe, expect, it } from 'vitest';
import { createGlob, isBoundedGlob } from '../../../src/base/fs/glob.js';

describe('a glob', () => {
  it.each([
    ['src/*.ts', 'src/a.ts'],
    ['src/**', 'src/a/b/.hidden/c.ts'],
    ['**/*.ts', 'a.ts'],
    ['*', '.env'],
    ['src/', 'src/a/b.ts'],
    ['./src/*.ts', 'src/a.ts'],
    ['{a,b}.ts', 'b.ts'],
    ['../lib/**', '../lib/a.ts'],
    ['*.txt', 'a b\nc.txt'],
    ['docs/\u00fc*.md', 'docs/\u00fcber.md'],
    ['app/(group)/[id].tsx', 'app/(group)/[id].tsx'],
    ['app/\\(group\\)/*.tsx', 'app/(group)/page.tsx'],
  ])('%s matches %j', (glob, path) => {
    expect(createGlob(glob)(path)).toBe(true);
  });

  it.each([
    ['src/*.ts', 'src/a/b.ts'],
    ['*.ts', 'src/a.ts'],
    ['src', 'src/a.ts'],
    ['src/**', 'lib/src/a.ts'],
    ['**', '../a.ts'],
    ['*.TS', 'a.ts'],
  ])('%s does not match %j', (glob, path) => {
    expect(createGlob(glob)(path)).toBe(false);
  });

  it('can be passed to Array.filter', () => {
    expect(['b.md', 'c.md', 'a.ts'].filter(createGlob('*.ts'))).toEqual(['a.ts']);
  });
});

it.each([
  ['**/*.test.*', true],
  ['src/**/a*b*c*.ts', true],
  ['{a,b}/[c]/?.ts', true],
  ['*a*a*a*a*b', false],
  ['**/a/**/b/**/c/**/d', false],
  ['+(a|aa)', false],
  ['!(x)/y', false],
])('the glob %s is quick for every path: %s', (glob, isQuick) => {
  expect(isBoundedGlob(glob)).toBe(isQuick);
});
