import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lstatIfThere, statIfThere } from '../../../src/base/fs/stats.js';
import { makeTree } from './make-tree.js';

describe('the stats of a path', () => {
  const tree = () => {
    const root = makeTree({ 'a.txt': 'hi' });
    mkdirSync(join(root, 'folder'));
    symlinkSync('nowhere', join(root, 'dangling'));
    return root;
  };

  it('are known for files, folders and links', () => {
    const root = tree();
    expect(statIfThere(join(root, 'a.txt'))?.size).toBe(2);
    expect(statIfThere(join(root, 'folder'))?.isDirectory()).toBe(true);
    expect(lstatIfThere(join(root, 'dangling'))?.isSymbolicLink()).toBe(true);
  });

  it.each(['missing', 'a.txt/below', 'with\0nul', 'x'.repeat(300)])(
    'are undefined for %j',
    (name) => {
      const path = join(tree(), name);
      expect(statIfThere(path)).toBeUndefined();
      expect(lstatIfThere(path)).toBeUndefined();
    },
  );

  it('are undefined for a broken link', () => {
    expect(statIfThere(join(tree(), 'dangling'))).toBeUndefined();
  });
});
