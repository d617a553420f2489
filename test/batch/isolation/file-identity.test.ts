import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  hasSameContent,
  isSameFileIdentity,
  readFileIdentity,
  toFileIdentity,
} from '../../../src/batch/isolation/file-identity.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { edit } from './support.js';

describe('two paths', () => {
  it('hold the same where all bytes or the targets of both links are equal', () => {
    const folder = makeTree();
    const big = 'x'.repeat(3 * 1024 * 1024);
    edit(folder, {
      a: big,
      b: big,
      c: `${big.slice(1)}y`,
      l: '-> a',
      m: '-> a',
      n: '-> b',
      d: 'x',
    });
    const same = (a: string, b: string): boolean => {
      return hasSameContent(Buffer.from(join(folder, a)), Buffer.from(join(folder, b)));
    };
    expect([same('a', 'b'), same('l', 'm')]).toEqual([true, true]);
    const others = [
      same('a', 'c'),
      same('l', 'n'),
      same('a', 'l'),
      same('a', 'd'),
      same('a', 'no'),
    ];
    expect(others).toEqual([false, false, false, false, false]);
  });
});

describe('a mark', () => {
  it('tells a file from another in its place', () => {
    const folder = makeTree({ 'a.txt': 'a\n' });
    const mark = () => {
      const stats = readFileIdentity(join(folder, 'a.txt'));
      return stats && toFileIdentity(stats);
    };
    const before = mark();
    expect(isSameFileIdentity(before, mark())).toBe(true);
    edit(folder, { 'a.txt': 'longer\n' });
    expect(isSameFileIdentity(before, mark())).toBe(false);
    edit(folder, { 'a.txt': null });
    expect(isSameFileIdentity(before, mark())).toBe(false);
    expect(isSameFileIdentity(undefined, mark())).toBe(true);
    expect(readFileIdentity(join(folder, 'no', 'such'))).toBeUndefined();
  });
});
