import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { realpathOf } from '../../../src/base/fs/paths.js';
import { chooseIsolationFolder } from '../../../src/batch/isolation/isolation-folder.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { withVariables } from './support.js';

const ID = '0123456789abcdef';

describe('the folder of an isolated workspace', () => {
  it('is in the state folder, and its tree has the name of the original', () => {
    const [root, stateDir] = [makeTree(), join(makeTree(), 'made/for/it')];
    const { folder, tree, stage } = chooseIsolationFolder(root, stateDir, ID);
    expect(dirname(folder)).toBe(stateDir);
    expect(basename(tree)).toBe(basename(root));
    expect(stage.startsWith(folder)).toBe(true);
  });

  it('is never inside the original', () => {
    const root = makeTree();
    const { folder } = chooseIsolationFolder(root, join(root, 'state'), ID);
    expect(dirname(folder)).toBe(realpathOf(tmpdir()));
    withVariables({ TMPDIR: root });
    expect(() => chooseIsolationFolder(root, join(root, 'state'), ID)).toThrow(
      'Cannot isolate a step',
    );
  });

  it('has a staging folder on the disk of the original, even if it is on another disk itself', () => {
    const root = makeTree();
    // This folder is on another disk on every Linux.
    withVariables({ TMPDIR: '/proc/self/task' });
    const { folder, stage } = chooseIsolationFolder('/proc/self/task', join(root, 'state'), ID);
    expect(dirname(folder)).toBe(join(root, 'state'));
    expect(stage.startsWith(folder)).toBe(false);
  });
});
