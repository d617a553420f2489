import { existsSync, lstatSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTree } from '../../base/fs/make-tree.js';
import { git } from '../../base/git/git-as-user.js';
import { edit, merge, open, read } from './support.js';

const FILES = {
  'src/a.js': "module.exports = require('dep');\n",
  'packages/own/index.js': "module.exports = 'original';\n",
  'node_modules/dep/index.js': "module.exports = 'dep:' + require('@s/other') + require('own');\n",
  'node_modules/@s/other/index.js': "module.exports = 'other';\n",
  'node_modules/.cache/x': 'cached\n',
  'node_modules/.package-lock.json': '{}\n',
  'node_modules/own': '-> ../packages/own',
  'node_modules/.bin/dep': '-> ../dep/index.js',
  '.gitignore': 'node_modules/\n',
};

async function openWith(kind: 'worktree' | 'copy', linkFolders?: readonly string[]) {
  const folder = makeTree();
  edit(folder, FILES);
  if (kind === 'worktree') git(folder, 'init', '-q');
  const stateDir = makeTree();
  const workspace = await open({ kind, workspaceDir: folder, stateDir, linkFolders });
  return { folder, workspace, dir: workspace.dir };
}

describe.each(['worktree', 'copy'] as const)('the installed packages in a %s', (kind) => {
  it('are links to the original, except packages of the workspace itself', async () => {
    const { folder, dir, workspace } = await openWith(kind);
    edit(dir, { 'packages/own/index.js': "module.exports = 'changed';\n" });
    const require = createRequire(join(dir, 'src/'));
    expect(require(join(dir, 'node_modules/own'))).toBe('changed');
    expect(require(join(dir, 'node_modules/@s/other'))).toBe('other');
    expect(readlinkSync(join(dir, 'node_modules/dep'))).toBe(join(folder, 'node_modules/dep'));
    expect(readFileSync(join(dir, 'node_modules/.bin/dep'), 'utf8')).toContain('dep:');
    expect(existsSync(join(dir, 'node_modules/.cache'))).toBe(false);
    expect(await merge(workspace)).toEqual({
      merged: true,
      paths: ['packages/own/index.js'],
      notes: [],
    });
  });

  it('can be removed and replaced by the step without a change of the original', async () => {
    const { folder, dir, workspace } = await openWith(kind);
    rmSync(join(dir, 'node_modules/dep'), { recursive: true });
    rmSync(join(dir, 'node_modules/@s'), { recursive: true });
    edit(dir, {
      'node_modules/dep/index.js': 'mine\n',
      'node_modules/.cache/y': 'y\n',
      '.gitignore': '',
    });
    const extra = ['node_modules/dep/index.js'];
    expect(await merge(workspace, extra)).toMatchObject({ paths: ['.gitignore'], notes: [] });
    expect(read(folder)).toEqual({ ...FILES, '.gitignore': '' });
  });

  it('give a note if the step writes through a link', async () => {
    const { folder, dir, workspace } = await openWith(kind);
    edit(dir, { 'node_modules/dep/made.js': 'made\n' });
    expect(existsSync(join(folder, 'node_modules/dep/made.js'))).toBe(true);
    const { notes } = await merge(workspace);
    expect(notes).toEqual([expect.stringContaining(join(folder, 'node_modules/dep/made.js'))]);
  });

  it('are not linked if `linkFolders` is empty', async () => {
    const { dir } = await openWith(kind, []);
    const modules = join(dir, 'node_modules');
    if (kind === 'worktree') expect(existsSync(modules)).toBe(false);
    else expect(lstatSync(join(modules, 'dep')).isDirectory()).toBe(true);
  });
});
