import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepWorktreeFiles } from '../../../src/batch/isolation/keep-worktree-files.js';
import { makeFolder } from '../../fixtures/cli/support.js';

function open(files: Readonly<Record<string, string>>) {
  const tree = makeFolder(files);
  const folder = makeFolder();
  execFileSync('git', ['-C', tree, 'init', '-q', '--template=']);
  execFileSync('git', ['-C', tree, 'add', '-A']);
  const gitDir = join(tree, '.git');
  copyFileSync(join(gitDir, 'index'), join(folder, 'index.base'));
  return {
    tree,
    state: { repository: { gitDir, prefix: '' }, home: { tree, folder }, linked: [] },
  };
}

describe('the changed files of a worktree', () => {
  it('are kept in a folder, removed ones as a list', async () => {
    const { tree, state } = open({
      'a.txt': 'a',
      'b.txt': 'b',
      'same.txt': 's',
      '.gitignore': 'ignored*',
    });
    writeFileSync(join(tree, 'a.txt'), 'changed');
    rmSync(join(tree, 'b.txt'));
    mkdirSync(join(tree, 'new'));
    symlinkSync('../a.txt', join(tree, 'new', 'link'));
    writeFileSync(join(tree, 'ignored.txt'), 'i');
    mkdirSync(join(tree, 'ignored-folder'));
    const extra = [join(tree, 'ignored.txt'), join(tree, 'ignored-folder')];
    const kept = join(makeFolder(), 'kept');
    expect(await keepWorktreeFiles(state, extra, kept)).toBe(kept);
    expect(readFileSync(join(kept, 'files', 'a.txt'), 'utf8')).toBe('changed');
    expect(readFileSync(join(kept, 'files', 'ignored.txt'), 'utf8')).toBe('i');
    expect(readlinkSync(join(kept, 'files', 'new', 'link'))).toBe('../a.txt');
    expect(readFileSync(join(kept, 'removed.txt'), 'utf8')).toBe('b.txt\n');
  });

  it('are nothing if nothing has changed', async () => {
    const { state } = open({ 'a.txt': 'a' });
    expect(await keepWorktreeFiles(state, [], join(makeFolder(), 'kept'))).toBeUndefined();
  });
});
