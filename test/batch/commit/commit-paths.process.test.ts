import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { PathCommitter } from '../../../src/batch/commit/commit-paths.js';
import { toBytePath } from '../../../src/batch/isolation/byte-path.js';
import { makeTree } from '../../base/fs/make-tree.js';
import { git as runGit } from '../../base/git/git-as-user.js';
import { makeRepository, type TestRepository } from '../isolation/support.js';

function openLab({ folder, stateDir, git }: TestRepository) {
  git('config', 'user.name', 'User');
  git('config', 'user.email', 'user@example.com');
  const committer = new PathCommitter(folder, join(stateDir, 'index'));
  const commit = (paths: readonly string[], message = 'message\n', isLate = false) =>
    committer.commit({ paths: paths.map(toBytePath), message, isLate });
  const write = (path: string, content: string): void => writeFileSync(join(folder, path), content);
  return { folder, git, commit, write };
}

const ofCommit = (git: TestRepository['git'], commit = 'HEAD'): string[] =>
  git('-c', 'core.quotePath=false', 'show', '--format=', '--raw', '--no-renames', commit)
    .trim()
    .split('\n')
    .map((line) => line.replace(/^:(\d+) (\d+) \w+ \w+ (\w)\t/, '$3 $1 $2 '))
    .sort();

describe('PathCommitter', () => {
  it('commits what has become of the paths, and nothing that the user has staged or changed', async () => {
    const { folder, git, commit, write } = openLab(
      makeRepository({
        'changed.txt': 'a\n',
        'gone.txt': 'b\n',
        'old-name.txt': 'c\n',
        'tool.sh': 'd\n',
        'staged.txt': 'e\n',
        'dirty.txt': 'f\n',
        'becomes-link/x.txt': 'g\n',
      }),
    );
    write('staged.txt', 'by the user\n');
    write('added.txt', 'by the user\n');
    git('add', 'staged.txt', 'added.txt');
    write('staged.txt', 'by the user, later\n');
    write('dirty.txt', 'by the user\n');
    write('untracked.txt', 'by the user\n');
    const before = git('status', '--porcelain');

    write('changed.txt', 'A\n');
    rmSync(join(folder, 'gone.txt'));
    rmSync(join(folder, 'old-name.txt'));
    write('новое имя\n"x".txt', 'c\n');
    chmodSync(join(folder, 'tool.sh'), 0o755);
    symlinkSync('changed.txt', join(folder, 'link'));
    rmSync(join(folder, 'becomes-link'), { recursive: true });
    symlinkSync('.', join(folder, 'becomes-link'));
    const paths = ['changed.txt', 'gone.txt', 'old-name.txt', 'новое имя\n"x".txt', 'tool.sh'];
    const name = await commit([
      ...paths,
      'link',
      'becomes-link',
      'becomes-link/x.txt',
      'never.txt',
    ]);

    expect(name).toBe(git('rev-parse', 'HEAD').trim());
    expect(ofCommit(git)).toEqual([
      'A 000000 100644 "новое имя\\n\\"x\\".txt"',
      'A 000000 120000 becomes-link',
      'A 000000 120000 link',
      'D 100644 000000 becomes-link/x.txt',
      'D 100644 000000 gone.txt',
      'D 100644 000000 old-name.txt',
      'M 100644 100644 changed.txt',
      'M 100644 100755 tool.sh',
    ]);
    expect(git('status', '--porcelain')).toBe(before);
    expect(git('show', ':staged.txt')).toBe('by the user\n');
    expect(git('log', '-1', '--format=%an <%ae> %cn%n%B').trim()).toBe(
      'User <user@example.com> User\nmessage',
    );
    expect(git('symbolic-ref', 'HEAD').trim()).toBe('refs/heads/main');
  });

  it('commits nothing if the files are as in HEAD, or are ignored and not tracked', async () => {
    const { git, commit, write } = openLab(
      makeRepository({ 'a.txt': 'a\n', '.gitignore': '*.log\n' }),
    );
    write('secret.log', 'x\n');
    expect(await commit(['a.txt', 'secret.log'])).toBeUndefined();
    expect(await commit(['secret.log', 'never.txt'])).toBeUndefined();
    expect(await commit([])).toBeUndefined();
    expect(git('rev-list', '--count', 'HEAD').trim()).toBe('1');
    git('add', '-f', 'secret.log');
    git('commit', '-qm', 'tracked');
    write('secret.log', 'y\n');
    write('other.log', 'y\n');
    await commit(['secret.log', 'other.log']);
    expect(ofCommit(git)).toEqual(['M 100644 100644 secret.log']);
  });

  it('makes one commit after another, also after commits of others', async () => {
    const { git, commit, write } = openLab(makeRepository());
    write('b.txt', 'b\n');
    await commit(['b.txt'], 'b\n');
    write('c.txt', 'c\n');
    await commit(['c.txt'], 'c\n');
    write('user.txt', 'u\n');
    git('add', '-A');
    git('commit', '-qm', 'user');
    write('d.txt', 'd\n');
    await commit(['d.txt'], 'd\n');
    expect(git('log', '--format=%s').trim().split('\n')).toEqual(['d', 'user', 'c', 'b', 'first']);
    expect(ofCommit(git)).toEqual(['A 000000 100644 d.txt']);
    expect(git('status', '--porcelain')).toBe('');
  });

  it('works on a detached HEAD, which alone moves', async () => {
    const { git, commit, write } = openLab(makeRepository());
    git('checkout', '-q', '--detach');
    write('b.txt', 'b\n');
    const name = await commit(['b.txt']);
    expect(git('rev-parse', 'HEAD').trim()).toBe(name);
    expect(git('rev-parse', 'main').trim()).toBe(git('rev-parse', 'HEAD~').trim());
  });

  it('makes the first commit of a repository', async () => {
    const folder = makeTree({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    runGit(folder, 'init', '-q', '-b', 'trunk', '--template=');
    const git = (...args: readonly string[]) => runGit(folder, ...args);
    const { commit } = openLab({ folder, stateDir: makeTree(), git });
    git('add', 'b.txt');
    expect(await commit(['never.txt'])).toBeUndefined();
    const name = await commit(['a.txt']);
    expect(git('rev-parse', 'trunk').trim()).toBe(name);
    expect(git('ls-tree', '--name-only', 'HEAD').trim()).toBe('a.txt');
    expect(git('status', '--porcelain').trim()).toBe('A  b.txt');
  });

  it('runs no hook', async () => {
    const { folder, git, commit, write } = openLab(makeRepository());
    mkdirSync(join(folder, '.git/hooks'), { recursive: true });
    for (const hook of ['pre-commit', 'commit-msg', 'post-commit', 'reference-transaction']) {
      const file = join(folder, '.git/hooks', hook);
      writeFileSync(file, `#!/bin/sh\ntouch '${folder}/.git/ran'\nexit 1\n`, { mode: 0o755 });
    }
    write('b.txt', 'b\n');
    await commit(['b.txt']);
    rmSync(join(folder, '.git/hooks'), { recursive: true });
    expect(git('rev-list', '--count', 'HEAD').trim()).toBe('2');
    expect(() => rmSync(join(folder, '.git/ran'))).toThrow('ENOENT');
  });

  it('waits for a lock of the branch or of the index', async () => {
    const { folder, git, commit, write } = openLab(makeRepository());
    write('b.txt', 'b\n');
    const locks = ['.git/refs/heads/main.lock', '.git/index.lock'].map((path) =>
      join(folder, path),
    );
    for (const lock of locks) writeFileSync(lock, '');
    const committing = commit(['b.txt']);
    await sleep(200);
    for (const lock of locks) rmSync(lock);
    expect(await committing).toBe(git('rev-parse', 'HEAD').trim());
    expect(git('status', '--porcelain')).toBe('');
  });

  it('gives up at a branch that stays locked, and leaves no trace in the next commit', async () => {
    const { folder, git, commit, write } = openLab(makeRepository());
    write('b.txt', 'b\n');
    const lock = join(folder, '.git/refs/heads/main.lock');
    writeFileSync(lock, '');
    await expect(commit(['b.txt'])).rejects.toThrow('cannot lock ref');
    rmSync(lock);
    write('c.txt', 'c\n');
    await commit(['c.txt']);
    expect(ofCommit(git)).toEqual(['A 000000 100644 c.txt']);
    expect(git('status', '--porcelain').trim()).toBe('?? b.txt');
  });

  it('names a commit that was made although the index stays locked', async () => {
    const { folder, git, commit, write } = openLab(makeRepository());
    write('b.txt', 'b\n');
    writeFileSync(join(folder, '.git/index.lock'), '');
    const failure = await commit(['b.txt']).catch((error: unknown) => error);
    expect(failure).toMatchObject({ commit: git('rev-parse', 'HEAD').trim() });
    expect(String(failure)).toContain('index.lock');
  });

  it('finds the commit of a run that was killed before it could name the commit', async () => {
    const { git, commit, write } = openLab(makeRepository());
    write('b.txt', 'b\n');
    const name = await commit(['b.txt'], 'b: done\n\nmore\n');
    git('reset', '-q', 'HEAD~', '--', 'b.txt');
    expect(await commit(['b.txt'], 'b: done\n\nmore\n', true)).toBe(name);
    expect(git('status', '--porcelain')).toBe('');
    expect(await commit(['b.txt'], 'another\n', true)).toBeUndefined();
    expect(git('rev-list', '--count', 'HEAD').trim()).toBe('2');
  });
});
