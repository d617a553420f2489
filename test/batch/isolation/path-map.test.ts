import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createPathMap } from '../../../src/batch/isolation/path-map.js';
import { makeTree } from '../../base/fs/make-tree.js';

describe('paths of an isolated workspace', () => {
  it('are mapped in both directions if the working directory is a sub-folder', () => {
    const [root, tree] = [makeTree({ 'pkg/a/': '' }), makeTree()];
    const workspaceDir = join(root, 'pkg/a');
    const dir = join(tree, 'pkg/a');
    const { toIsolated, toOriginal } = createPathMap({ root, tree, workspaceDir, dir });
    for (const [original, isolated] of [
      [workspaceDir, dir],
      [join(workspaceDir, 'not/there'), join(dir, 'not/there')],
      [join(root, 'pkg/b'), join(tree, 'pkg/b')],
      [root, tree],
      ['/elsewhere', '/elsewhere'],
      [`${root}-not`, `${root}-not`],
    ]) {
      expect(toIsolated(original ?? '')).toBe(isolated);
      expect(toOriginal(isolated ?? '')).toBe(original);
    }
    expect(toIsolated('../b')).toBe(join(tree, 'pkg/b'));
    expect(toOriginal('../b')).toBe(join(root, 'pkg/b'));
  });

  it('are mapped back to the working directory as the user names it', () => {
    const [root, tree] = [makeTree(), makeTree()];
    const workspaceDir = join(makeTree(), 'link');
    symlinkSync(root, workspaceDir);
    const { toIsolated, toOriginal } = createPathMap({ root, tree, workspaceDir, dir: tree });
    expect(toIsolated(join(workspaceDir, 'x'))).toBe(join(tree, 'x'));
    expect(toIsolated(join(root, 'x'))).toBe(join(tree, 'x'));
    expect(toOriginal(join(tree, 'x'))).toBe(join(workspaceDir, 'x'));
  });
});
