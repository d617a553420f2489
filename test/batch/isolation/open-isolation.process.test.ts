import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openIsolation } from '../../../src/batch/isolation/open-isolation.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { git } from '../../base/git/git-as-user.js';
import {
  edit,
  makeRepository,
  merge,
  open,
  openWorktree,
  read,
  readPersonal,
  withPath,
  withVariables,
} from './support.js';

function attempt(workspaceDir: string, kind: 'worktree' | 'copy' | 'shared' = 'worktree') {
  return openIsolation({ kind, workspaceDir, stateDir: makeTree(), label: 'step' });
}

/** Creates a program named git that runs the script. Returns its folder. */
function fakeGit(script: string): string {
  const folder = makeTree({ git: `#!/bin/sh\n${script}\n` });
  chmodSync(join(folder, 'git'), 0o755);
  return folder;
}

describe('isolation', () => {
  it('of the kind shared uses the folder itself', async () => {
    const folder = makeTree({ 'a.txt': 'a\n' });
    const workspace = await attempt(folder, 'shared');
    expect(workspace.dir).toBe(folder);
    expect(workspace.toIsolated('x')).toBe(join(folder, 'x'));
    for (const find of [workspace.collectChanges, workspace.saveChanges]) {
      await expect(find({ extraPaths: [] })).rejects.toThrow('nothing to merge');
    }
    expect(await workspace.keepPatch({ extraPaths: [], patchFile: 'p' })).toBeUndefined();
    await workspace.removeFiles();
    await workspace.dispose();
    expect(read(folder)).toEqual({ 'a.txt': 'a\n' });
  });

  it('refuses a working directory that is not a folder', async () => {
    const file = join(makeTree({ 'a.txt': 'a\n' }), 'a.txt');
    for (const kind of ['worktree', 'copy', 'shared'] as const) {
      await expect(attempt(file, kind)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
  });

  it('is cancelled by the signal, and leaves no files', async () => {
    const { folder, stateDir } = makeRepository();
    for (const kind of ['worktree', 'copy'] as const) {
      const options = { kind, workspaceDir: folder, stateDir, label: 'step' };
      await expect(
        openIsolation({ ...options, signal: AbortSignal.abort() }),
      ).rejects.toMatchObject({
        code: 'CANCELLED',
      });
      const controller = new AbortController();
      const opening = openIsolation({ ...options, signal: controller.signal });
      setImmediate(() => controller.abort());
      await expect(opening).rejects.toMatchObject({ code: 'CANCELLED' });
    }
    expect(readdirSync(stateDir)).toEqual([]);
    expect(existsSync(join(folder, '.git/worktrees'))).toBe(false);
  });
});

describe('a worktree is refused', () => {
  it.each([
    ['outside of a repository', () => makeTree(), /is not in one/, /isolation: copy/],
    [
      'in a bare repository',
      () => {
        const folder = makeTree();
        git(folder, 'init', '-q', '--bare');
        return folder;
      },
      /bare repository/,
      /working tree/,
    ],
    ['inside .git', () => join(makeRepository().folder, '.git'), /bare .* inside \.git/, /copy/],
    [
      'in a folder that is ignored',
      () => {
        const { folder } = makeRepository({ '.gitignore': 'out/\n' });
        edit(folder, { 'out/x': 'x\n' });
        return join(folder, 'out');
      },
      /is ignored/,
      /isolation: copy/,
    ],
  ])('%s', async (_where, make, message, hint) => {
    await expect(attempt(make())).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
  });

  it.each([
    ['git is missing', () => makeTree(), /git is not on PATH/, /isolation: copy/],
    [
      'git is too old',
      () => fakeGit('echo git version 2.34.1'),
      /2\.38 or newer.*2\.34\.1/,
      /Update git/,
    ],
    [
      'git does not trust the repository',
      () =>
        fakeGit(
          'case "$*" in *version) echo git version 2.50.0;; *) echo "fatal: detected dubious ownership in repository at x" >&2; exit 128;; esac',
        ),
      /belongs to another user/,
      /safe\.directory/,
    ],
  ])('if %s', async (_what, make, message, hint) => {
    const { folder } = makeRepository();
    withPath(make());
    await expect(attempt(folder)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
  });

  it('with the error of git if the repository is damaged', async () => {
    const { folder, stateDir } = makeRepository();
    writeFileSync(join(folder, '.git/index'), 'garbage');
    await expect(open({ kind: 'worktree', workspaceDir: folder, stateDir })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('index'),
      stderrTail: expect.stringContaining('fatal'),
    });
    expect(readdirSync(stateDir)).toEqual([]);
  });
});

describe('opening and merging a worktree', () => {
  it('ignores GIT_* variables of the environment', async () => {
    const repository = makeRepository();
    const other = makeRepository({ 'other.txt': 'o\n' });
    const before = read(other.folder, []);
    withVariables({
      GIT_DIR: join(other.folder, '.git'),
      GIT_WORK_TREE: other.folder,
      GIT_INDEX_FILE: join(other.folder, '.git/index'),
      GIT_OBJECT_DIRECTORY: join(other.folder, '.git/objects'),
      GIT_LITERAL_PATHSPECS: '1',
    });
    const workspace = await openWorktree(repository);
    edit(workspace.dir, { 'b.txt': 'b\n' });
    expect(await merge(workspace)).toMatchObject({ merged: true, paths: ['b.txt'] });
    await workspace.dispose();
    expect(read(repository.folder)).toEqual({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    expect(read(other.folder, [])).toEqual(before);
  });

  it('runs no hook of the repository', async () => {
    const repository = makeRepository();
    const hooks = join(repository.folder, '.git/hooks');
    mkdirSync(hooks, { recursive: true });
    for (const name of [
      'post-checkout',
      'post-index-change',
      'pre-commit',
      'reference-transaction',
    ]) {
      writeFileSync(join(hooks, name), `#!/bin/sh\ntouch '${repository.folder}/${name}'\n`);
      chmodSync(join(hooks, name), 0o755);
    }
    const workspace = await openWorktree(repository);
    edit(workspace.dir, { 'b.txt': 'b\n' });
    await merge(workspace);
    await workspace.dispose();
    expect(Object.keys(read(repository.folder))).toEqual(['a.txt', 'b.txt']);
  });

  it('works with any folder name', async () => {
    const folder = join(makeTree(), 'a "b"\n$c d');
    mkdirSync(folder);
    edit(folder, { 'sub dir/a.txt': 'a\n' });
    git(folder, 'init', '-q');
    git(folder, 'add', '-A');
    git(folder, 'commit', '-qm', 'x');
    const workspace = await open({
      kind: 'worktree',
      workspaceDir: join(folder, 'sub dir'),
      stateDir: join(makeTree(), 'state\n"x"'),
    });
    edit(workspace.dir, { 'b.txt': 'b\n' });
    expect(await merge(workspace)).toMatchObject({ merged: true, paths: ['b.txt'] });
    expect(read(folder)).toEqual({ 'sub dir/a.txt': 'a\n', 'sub dir/b.txt': 'b\n' });
  });

  it('works after `git gc --prune=now`', async () => {
    const repository = makeRepository();
    edit(repository.folder, { 'untracked.txt': 'u\n' });
    const workspace = await openWorktree(repository);
    repository.git('gc', '-q', '--prune=now');
    edit(workspace.dir, { 'untracked.txt': 'changed\n' });
    expect(await merge(workspace)).toMatchObject({ merged: true, paths: ['untracked.txt'] });
  });

  it('works five times at once, with merges in any order', async () => {
    const repository = makeRepository(
      Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`${index}.txt`, 'x\n'])),
    );
    const before = readPersonal(repository);
    const opened = await Promise.all(Array.from({ length: 5 }, () => openWorktree(repository)));
    for (const [index, { dir }] of opened.entries()) edit(dir, { [`${index}.txt`]: `${index}\n` });
    const outcomes = await Promise.all(opened.reverse().map((workspace) => merge(workspace)));
    expect(outcomes.every(({ merged }) => merged)).toBe(true);
    for (const [path, text] of Object.entries(read(repository.folder))) {
      expect(`${text.trim()}.txt`).toBe(path);
    }
    await Promise.all(opened.map((workspace) => workspace.dispose()));
    expect(readPersonal(repository)).toEqual(before);
  });

  it('works while other processes add worktrees to the same repository', async () => {
    const { folder } = makeRepository();
    const trees = makeTree();
    const adding = Array.from({ length: 4 }, (_, index) => join(trees, `w${index}`));
    const script = adding.map((tree) => `git worktree add -q --detach '${tree}' & `).join('');
    const opened = open({ kind: 'worktree', workspaceDir: folder, stateDir: makeTree() });
    // The git commands may fail because of each other; their messages are not printed.
    execFileSync('sh', ['-c', `cd '${folder}'; ${script} wait`], { stdio: 'ignore' });
    expect(read((await opened).dir)).toEqual({ 'a.txt': 'a\n' });
  });
});
