import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBeginning } from '../../../src/base/fs/read-beginning.js';
import { makeTree } from './make-tree.js';

describe('the beginning of a file', () => {
  const long = 'abc'.repeat(50_000);

  it.each([
    ['', 10, ''],
    ['text', 10, 'text'],
    ['text', 4, 'text'],
    ['text', 2, 'te'],
    ['text', 0, ''],
    [long, long.length + 1, long],
    [long, 100_000, long.slice(0, 100_000)],
  ])('has at most the given number of bytes (example %#)', (content, mostBytes, expected) => {
    const file = join(makeTree({ a: content }), 'a');
    expect(readBeginning(file, mostBytes).toString()).toBe(expected);
  });

  it('cannot be read if there is no file', () => {
    expect(() => readBeginning(join(makeTree({}), 'none'), 1)).toThrow('ENOENT');
  });
});
