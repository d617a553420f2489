import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTree } from '../../base/fs/make-tree.js';
import { git } from '../../base/git/git-as-user.js';
import { edit, makeRepository, open, openWorktree, read, readPersonal } from './support.js';

describe('a worktree', () => {
  it('contains the present state of the workspace: staged, changed, removed and untracked files', async () => {
    const repository = makeRepository({
      'a.txt': 'a\n',
      'b.txt': 'b\n',
      'gone.txt': 'g\n',
      '.gitignore': '*.log\n',
    });
    edit(repository.folder, {
      'a.txt': 'staged\n',
      'new.txt': 'untracked\n',
      'sub/added.sh': '+xadded\n',
      'gone.txt': null,
      'x.log': 'ignored\n',
      link: '-> a.txt',
    });
    repository.git('add', 'a.txt', 'sub/added.sh');
    edit(repository.folder, { 'a.txt': 'changed after it was staged\n' });
    const before = readPersonal(repository);
    const workspace = await openWorktree(repository);
    const { 'x.log': _ignored, ...seen } = read(repository.folder);
    expect(read(workspace.dir)).toEqual(seen);
    const status = repository.git('status', '--porcelain');
    expect(status).toContain('MM a.txt');
    expect(git(workspace.dir, 'status', '--porcelain')).toBe(status);
    expect(git(workspace.dir, 'rev-parse', 'HEAD')).toBe(repository.git('rev-parse', 'HEAD'));
    await workspace.dispose();
    expect(readPersonal(repository)).toEqual(before);
  });

  it('contains the files of the user, not those that refs/replace puts in their place', async () => {
    const repository = makeRepository({ 'a.txt': 'a\n' });
    edit(repository.folder, { 'other.txt': 'other\n' });
    const other = repository.git('hash-object', '-w', 'other.txt').trim();
    edit(repository.folder, { 'other.txt': null });
    repository.git('replace', repository.git('rev-parse', 'HEAD:a.txt').trim(), other);
    const workspace = await openWorktree(repository);
    expect(read(workspace.dir)).toEqual({ 'a.txt': 'a\n' });
    await workspace.dispose();
  });

  it('has the name of the original folder, and is outside of it', async () => {
    const repository = makeRepository();
    const workspace = await openWorktree(repository);
    expect(basename(workspace.dir)).toBe(basename(repository.folder));
    expect(workspace.dir.startsWith(repository.stateDir)).toBe(true);
    const inside = join(repository.folder, 'state');
    const other = await open({
      kind: 'worktree',
      workspaceDir: repository.folder,
      stateDir: inside,
    });
    expect(other.dir.startsWith(repository.folder)).toBe(false);
    expect(existsSync(join(other.dir, 'state'))).toBe(false);
  });

  it('is removed by dispose, which can be called twice', async () => {
    const repository = makeRepository();
    const workspace = await openWorktree(repository);
    await workspace.dispose();
    await workspace.dispose();
    expect(existsSync(workspace.dir)).toBe(false);
    expect(readdirSync(repository.stateDir)).toEqual([]);
    expect(existsSync(join(repository.folder, '.git/worktrees'))).toBe(false);
  });

  it('maps a sub-folder and the folders around it', async () => {
    const repository = makeRepository({ 'pkg/a/x.txt': 'x\n', 'pkg/b/y.txt': 'y\n' });
    const workspaceDir = join(repository.folder, 'pkg/a');
    const { stateDir } = repository;
    const workspace = await open({ kind: 'worktree', workspaceDir, stateDir });
    expect(read(workspace.dir)).toEqual({ 'x.txt': 'x\n' });
    const sibling = workspace.toIsolated('../b');
    expect(read(sibling)).toEqual({ 'y.txt': 'y\n' });
    expect(workspace.toOriginal(sibling)).toBe(join(repository.folder, 'pkg/b'));
    expect(workspace.toOriginal('x.txt')).toBe(join(workspaceDir, 'x.txt'));
    expect(workspace.toIsolated('/')).toBe('/');
    expect(workspace.toOriginal('/')).toBe('/');
  });

  it('has an empty folder for a working directory without files', async () => {
    const repository = makeRepository();
    const workspaceDir = join(repository.folder, 'empty');
    mkdirSync(workspaceDir);
    const workspace = await open({ kind: 'worktree', workspaceDir, stateDir: repository.stateDir });
    expect(read(workspace.dir)).toEqual({});
  });

  it('can be opened before the first commit, without an index, and on a detached HEAD', async () => {
    const folder = makeTree({ 'a.txt': 'a\n' });
    git(folder, 'init', '-q');
    const fresh = await open({ kind: 'worktree', workspaceDir: folder, stateDir: makeTree() });
    expect(read(fresh.dir)).toEqual({ 'a.txt': 'a\n' });
    const repository = makeRepository();
    repository.git('checkout', '-q', '--detach');
    expect(read((await openWorktree(repository)).dir)).toEqual({ 'a.txt': 'a\n' });
  });

  it('can be opened from a worktree of the user, and from one of a bare repository', async () => {
    const { folder, stateDir, git: own } = makeRepository();
    const linked = join(makeTree(), 'linked');
    own('worktree', 'add', '-q', '-b', 'other', linked);
    edit(linked, { 'only.txt': 'here\n' });
    const workspace = await open({ kind: 'worktree', workspaceDir: linked, stateDir });
    expect(read(workspace.dir)).toEqual({ 'a.txt': 'a\n', 'only.txt': 'here\n' });
    const bare = join(makeTree(), 'bare.git');
    git(folder, 'clone', '-q', '--bare', folder, bare);
    const tree = join(makeTree(), 'tree');
    git(bare, 'worktree', 'add', '-q', tree, 'main');
    const other = await open({ kind: 'worktree', workspaceDir: tree, stateDir });
    expect(read(other.dir)).toEqual({ 'a.txt': 'a\n' });
  });

  it('contains the conflict markers of an unfinished merge', async () => {
    const repository = makeRepository();
    repository.git('checkout', '-q', '-b', 'other');
    edit(repository.folder, { 'a.txt': 'other\n' });
    repository.git('commit', '-qam', 'other');
    repository.git('checkout', '-q', 'main');
    edit(repository.folder, { 'a.txt': 'main\n' });
    repository.git('commit', '-qam', 'main');
    expect(() => repository.git('merge', 'other')).toThrow();
    const workspace = await openWorktree(repository);
    expect(read(workspace.dir)).toEqual(read(repository.folder));
    expect(read(workspace.dir)['a.txt']).toContain('<<<<<<<');
  });

  it('contains changes of files with assume-unchanged or skip-worktree', async () => {
    const repository = makeRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    repository.git('update-index', '--assume-unchanged', 'a.txt');
    repository.git('update-index', '--skip-worktree', 'b.txt');
    edit(repository.folder, { 'a.txt': 'mine\n', 'b.txt': 'mine too\n' });
    const workspace = await openWorktree(repository);
    expect(read(workspace.dir)).toEqual({
      'a.txt': 'mine\n',
      'b.txt': 'mine too\n',
      'c.txt': 'c\n',
    });
  });

  it('contains a change that was made in the second of the last index update', async () => {
    const repository = makeRepository({ 'a.txt': 'one\n' });
    edit(repository.folder, { 'a.txt': 'two\n' });
    const workspace = await openWorktree(repository);
    expect(read(workspace.dir)).toEqual({ 'a.txt': 'two\n' });
  });

  it('contains exactly the files of a sparse checkout', async () => {
    const repository = makeRepository({ 'in/a.txt': 'a\n', 'out/b.txt': 'b\n', 'c.txt': 'c\n' });
    repository.git('sparse-checkout', 'set', 'in');
    edit(repository.folder, { 'in/a.txt': 'changed\n' });
    const workspace = await openWorktree(repository);
    expect(read(workspace.dir)).toEqual({ 'in/a.txt': 'changed\n', 'c.txt': 'c\n' });
    expect(git(workspace.dir, 'status', '--porcelain')).toBe(' M in/a.txt\n');
  });

  it('has notes about nested repositories that it does not contain', async () => {
    const repository = makeRepository();
    edit(repository.folder, { 'vendor/lib/x.txt': 'x\n', 'vendor/done/y.txt': 'y\n' });
    git(join(repository.folder, 'vendor/lib'), 'init', '-q');
    git(join(repository.folder, 'vendor/done'), 'init', '-q');
    git(join(repository.folder, 'vendor/done'), 'add', '-A');
    git(join(repository.folder, 'vendor/done'), 'commit', '-qm', 'x');
    const workspace = await openWorktree(repository);
    expect(read(workspace.dir)).toEqual({ 'a.txt': 'a\n' });
    expect(workspace.notes).toEqual([
      'Nested repository vendor/done is not in the worktree',
      'Nested repository vendor/lib is not in the worktree',
    ]);
  });

  it('needs no author name, no signature and no index lock', async () => {
    const repository = makeRepository();
    repository.git('config', 'commit.gpgsign', 'true');
    repository.git('config', 'gpg.program', 'false');
    repository.git('config', 'user.useConfigOnly', 'true');
    writeFileSync(join(repository.folder, '.git/index.lock'), '');
    const workspace = await openWorktree(repository);
    expect(read(workspace.dir)).toEqual({ 'a.txt': 'a\n' });
  });
});
