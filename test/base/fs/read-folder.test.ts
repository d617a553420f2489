import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFolder } from '../../../src/base/fs/read-folder.js';
import { makeTree } from './make-tree.js';

describe('the list of a folder', () => {
  it('has each entry with its kind', () => {
    const root = makeTree({ 'a.txt': '', 'sub/b.txt': '' });
    const found = readFolder(root).map((entry) => [entry.name, entry.isDirectory()]);
    expect(Object.fromEntries(found)).toEqual({ 'a.txt': false, sub: true });
  });

  it.each(['none', 'a.txt', 'with\0nul'])('is empty for %j', (name) => {
    expect(readFolder(join(makeTree({ 'a.txt': '' }), name))).toEqual([]);
  });

  it('is empty for a folder that cannot be read, which is reported', () => {
    const root = makeTree({ 'a.txt': '' });
    const closed: string[] = [];
    const names = ['none', 'a.txt', 'x'.repeat(300)];
    for (const name of names) readFolder(join(root, name), (folder) => closed.push(folder));
    expect(closed).toEqual([join(root, 'x'.repeat(300))]);
  });
});
