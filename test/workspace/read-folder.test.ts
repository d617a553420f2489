import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFolder } from '../../src/workspace/read-folder.js';
import { makeTree } from './make-tree.js';

describe('what lies in a folder', () => {
  it('is told with its kind', () => {
    const root = makeTree({ 'a.txt': '', 'sub/b.txt': '' });
    const found = readFolder(root).map((entry) => [entry.name, entry.isDirectory()]);
    expect(Object.fromEntries(found)).toEqual({ 'a.txt': false, sub: true });
  });

  it.each(['none', 'a.txt', 'with\0nul'])('is nothing for %j', (name) => {
    expect(readFolder(join(makeTree({ 'a.txt': '' }), name))).toEqual([]);
  });
});
