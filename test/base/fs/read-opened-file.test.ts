import { fstatSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOpenedFile, readSmallFile } from '../../../src/base/fs/read-opened-file.js';
import { makeTree } from './make-tree.js';

describe('an opened file', () => {
  it('is passed on, and its result returned', () => {
    const file = join(makeTree({ a: 'text' }), 'a');
    expect(readOpenedFile(file, (fd) => fstatSync(fd).size)).toBe(4);
    expect(readSmallFile(file, 4)).toBe('text');
  });

  it('is undefined if it is large, missing, a device or a folder, or if the reading fails', () => {
    const folder = makeTree({ a: 'text' });
    expect(readSmallFile(join(folder, 'a'), 3)).toBeUndefined();
    for (const path of [join(folder, 'none'), '/dev/zero', folder, 'a\0b']) {
      expect(readSmallFile(path, 10)).toBeUndefined();
    }
    const fail = (): never => {
      throw new Error('x');
    };
    expect(readOpenedFile(join(folder, 'a'), fail)).toBeUndefined();
  });
});
