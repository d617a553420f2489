import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  hasSameContent,
  isSameFileIdentity,
  readStats,
  toFileIdentity,
} from '../../../src/batch/isolation/file-identity.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { edit } from './support.js';

describe('two paths', () => {
  it('have the same content if all bytes or both link targets are equal', () => {
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

describe('a file identity', () => {
  it('changes if the file is rewritten or removed', () => {
    const folder = makeTree({ 'a.txt': 'a\n' });
    const identity = () => {
      const stats = readStats(join(folder, 'a.txt'));
      return stats && toFileIdentity(stats);
    };
    const before = identity();
    expect(isSameFileIdentity(before, identity())).toBe(true);
    edit(folder, { 'a.txt': 'longer\n' });
    expect(isSameFileIdentity(before, identity())).toBe(false);
    edit(folder, { 'a.txt': null });
    expect(isSameFileIdentity(before, identity())).toBe(false);
    expect(isSameFileIdentity(undefined, identity())).toBe(true);
    expect(readStats(join(folder, 'no', 'such'))).toBeUndefined();
  });
});
