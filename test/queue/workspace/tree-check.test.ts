import { describe, expect, it } from 'vitest';
import {
  findEscapingLinks,
  findForbidden,
  isGitName,
} from '../../../src/queue/workspace/tree-check.js';

describe('isGitName', () => {
  it.each([
    '.git',
    '.GIT',
    '.git ',
    '.git.',
    '.git . .',
    '.git:x',
    '.git::$INDEX_ALLOCATION',
    'git~1',
    'GIT~12',
    'x\\.git\\config',
    Buffer.from('.g\u200ci\u202et').toString('latin1'),
    Buffer.from('\ufeff.git').toString('latin1'),
  ])('is true for %j', (name) => {
    expect(isGitName(name)).toBe(true);
  });

  it.each([
    '.gitignore',
    '.gitattributes',
    '.github',
    'git',
    'a.git',
    '.git-x',
    'git~',
    '.gi',
    'ä\\b',
  ])('is false for %j', (name) => {
    expect(isGitName(name)).toBe(false);
  });
});

describe('findForbidden', () => {
  it.each([
    ['../x', '100644', /leads out/],
    ['a/./b', '100644', /leads out/],
    ['/x', '100644', /leads out/],
    ['a//b', '100644', /leads out/],
    ['a/.git/config', '100644', /git repository/],
    ['m', '160000', /submodule/],
    ['m', '040000', /no file/],
    ['m', '100664', /no file/],
  ])('says why %s of mode %s is none of a workspace', (path, mode, reason) => {
    expect(findForbidden(path, mode)).toMatch(reason);
  });

  it.each(['100644', '100755', '120000'])('accepts mode %s', (mode) => {
    expect(findForbidden('a/..b/c..', mode)).toBe(undefined);
  });
});

describe('findEscapingLinks', () => {
  const find = (links: Record<string, string>): string[] => {
    return findEscapingLinks(new Map(Object.entries(links)));
  };

  it('finds links that lead out by their own target', () => {
    const inside = { a: 'b', 'd/e': '../x', 'd/f': '.', g: 'd/../h', 'd/i/j': '../../top' };
    const outside = {
      k: '/etc',
      l: '..',
      'd/m': '../../x',
      n: 'C:\\x',
      o: '..\\x',
      p: '.git/hooks',
    };
    expect(find({ ...inside, ...outside })).toEqual(Object.keys(outside));
  });

  it('finds links that lead out through other links', () => {
    expect(find({ 'd/e/up': '../..', l: 'd/e/up/../x' })).toEqual(['l']);
    expect(find({ 'd/e/up': '../..', l: 'd/e/up/x' })).toEqual([]);
  });

  it('ends at a circle', () => {
    expect(find({ a: 'b', b: 'a', c: 'c/x' })).toEqual([]);
  });
});
