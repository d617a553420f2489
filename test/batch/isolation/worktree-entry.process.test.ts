import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRepository, readHeadCommit } from '../../../src/batch/isolation/open-repository.js';
import {
  addWorktreeEntry,
  removeWorktreeEntry,
} from '../../../src/batch/isolation/worktree-entry.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { git } from '../../base/git/git-as-user.js';
import { edit, makeRepository, openWorktree } from './support.js';

const NAME = 'gemini-cli-provider-0123456789abcdef';

/** Creates a repository with two commits: one is the state of a step, the other the user's HEAD. */
async function prepare() {
  const { folder, git: own } = makeRepository();
  const commit = own('rev-parse', 'HEAD').trim();
  edit(folder, { 'b.txt': 'b\n' });
  own('add', '-A');
  own('commit', '-qm', 'second');
  const repository = await openRepository(folder);
  const head = await readHeadCommit(repository);
  const tree = join(makeTree(), 'tree', 'name');
  return { folder, own, request: { repository, name: NAME, tree, commit, head } };
}

describe('the entry of a worktree', () => {
  it('is like one that git writes, and the log of its HEAD names both commits', async () => {
    const { folder, own, request } = await prepare();
    const { tree, commit, head = '' } = request;
    const gitDir = await addWorktreeEntry(request);
    expect(gitDir).toBe(join(folder, '.git', 'worktrees', NAME));
    expect(own('worktree', 'list', '--porcelain')).toContain(
      `worktree ${tree}\nHEAD ${head}\ndetached\n`,
    );
    own('worktree', 'prune');
    own('fsck', '--strict');
    expect(git(tree, 'rev-parse', 'HEAD', 'HEAD@{1}')).toBe(`${head}\n${commit}\n`);
    expect(git(tree, 'log', '-1', '--format=%s')).toBe('second\n');
    expect(git(tree, 'branch', '--show-current')).toBe('');
    const byGit = join(makeTree(), 'other');
    own('worktree', 'add', '-q', '--detach', '--no-checkout', byGit);
    const names = (at: string) => readdirSync(at).filter((name) => name !== 'refs');
    expect(names(gitDir)).toEqual(names(join(folder, '.git', 'worktrees', 'other')));
    for (const file of ['HEAD', 'commondir']) {
      expect(readFileSync(join(gitDir, file), 'utf8')).toBe(
        readFileSync(join(folder, '.git', 'worktrees', 'other', file), 'utf8'),
      );
    }
  });

  it.each(['config.worktree', 'info/sparse-checkout', 'reftable/tables.list'])(
    'is written by git if the repository has %s',
    async (file) => {
      const { folder, request } = await prepare();
      mkdirSync(dirname(join(folder, '.git', file)), { recursive: true });
      writeFileSync(join(folder, '.git', file), '');
      const gitDir = await addWorktreeEntry(request);
      expect(gitDir).toBe(join(folder, '.git', 'worktrees', 'name'));
      const { tree, commit, head } = request;
      expect(git(tree, 'rev-parse', 'HEAD', 'HEAD@{1}')).toBe(`${head}\n${commit}\n`);
    },
  );

  it('that cannot be written fails with the reason of git', async () => {
    const { folder, own, request } = await prepare();
    writeFileSync(join(folder, '.git', 'worktrees'), 'no folder');
    await expect(addWorktreeEntry(request)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      stderrTail: expect.stringContaining('fatal: '),
    });
    expect(existsSync(join(request.tree, '.git'))).toBe(false);
    expect(own('status', '--porcelain')).toBe('');
  });

  it('whose creation was interrupted is removed, and those of the user stay', async () => {
    const { folder, own, request } = await prepare();
    const worktrees = join(folder, '.git', 'worktrees');
    own('worktree', 'add', '-q', '--detach', join(makeTree(), 'of-user'));
    mkdirSync(join(worktrees, NAME));
    writeFileSync(join(worktrees, NAME, 'locked'), 'initializing\n');
    own('worktree', 'list');
    own('worktree', 'prune');
    const { commonDir } = request.repository;
    await removeWorktreeEntry({ commonDir, name: NAME, tree: request.tree });
    expect(readdirSync(worktrees)).toEqual(['of-user']);
  });

  it('does not disturb git while many are added and removed', async () => {
    const repository = makeRepository();
    const opened = Promise.all(
      Array.from({ length: 6 }, async () => {
        const workspace = await openWorktree(repository);
        await workspace.dispose();
      }),
    );
    for (let index = 0; index < 10; index++) {
      repository.git('worktree', 'list');
      repository.git('worktree', 'prune');
      await new Promise((resolve) => setImmediate(resolve));
    }
    await opened;
    expect(existsSync(join(repository.folder, '.git', 'worktrees'))).toBe(false);
  });
});
