import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStats } from './file-identity.js';
import type { Repository } from './open-repository.js';
import { AUTHOR } from './write-commit.js';

export interface NewWorktreeEntry {
  readonly repository: Repository;
  /** Name of the entry. No other worktree of the repository may have it. */
  readonly name: string;
  readonly tree: string;
  /** Commit with the state that the step gets. */
  readonly commit: string;
  /** Commit of the user's HEAD; undefined before the first commit. */
  readonly head: string | undefined;
}

/**
 * Writes the entry of a worktree without files, as `git worktree add` and `git update-ref` write it. Two calls of git cost
 * more than all files of the entry, and the calls of several steps would have to wait for each other. Returns the git
 * folder of the worktree; undefined if git must write the entry.
 */
export function writeWorktreeEntry(entry: NewWorktreeEntry): string | undefined {
  const { repository, name, tree } = entry;
  if (needsGit(repository)) return undefined;
  const gitDir = join(repository.commonDir, 'worktrees', name);
  try {
    writeFiles(gitDir, entry);
    return gitDir;
  } catch {
    // Git says what is wrong, for example with a disk that is read-only.
    removeIfPossible(gitDir);
    removeIfPossible(join(tree, '.git'));
    return undefined;
  }
}

/** Removes a path. What cannot be removed now is removed with the worktree. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {}
}

/** True for a repository with tables of refs, or with settings of its own for each worktree, which git copies. */
function needsGit({ gitDir, commonDir }: Repository): boolean {
  const paths = [
    join(commonDir, 'reftable'),
    join(gitDir, 'config.worktree'),
    join(gitDir, 'info', 'sparse-checkout'),
  ];
  return paths.some((path) => readStats(path) !== undefined);
}

/**
 * Writes the files in an order in which no git command fails on the entry: git leaves out an entry without `gitdir`, and
 * removes no entry that is locked or whose worktree has a `.git` file.
 */
function writeFiles(gitDir: string, { tree, commit, head }: NewWorktreeEntry): void {
  const dotGit = join(tree, '.git');
  mkdirSync(join(gitDir, 'logs'), { recursive: true });
  const lock = join(gitDir, 'locked');
  writeFileSync(lock, 'initializing\n', { flag: 'wx' });
  mkdirSync(join(gitDir, 'refs'));
  mkdirSync(tree, { recursive: true });
  writeFileSync(dotGit, `gitdir: ${gitDir}\n`);
  writeFileSync(join(gitDir, 'commondir'), '../..\n');
  writeFileSync(join(gitDir, 'HEAD'), `${head ?? commit}\n`);
  writeFileSync(join(gitDir, 'logs', 'HEAD'), writeLog(commit, head));
  writeFileSync(join(gitDir, 'gitdir'), `${dotGit}\n`);
  rmSync(lock);
}

/**
 * Returns the log of HEAD, which moves from the commit with the state to the user's commit. By this log `git gc` keeps the
 * objects that the merge needs. A ref would do the same, but the user would see it.
 */
function writeLog(commit: string, head: string | undefined): string {
  const who = `${AUTHOR} ${Math.floor(Date.now() / 1000)} +0000`;
  const none = '0'.repeat(commit.length);
  const moves = [[none, commit], ...(head === undefined ? [] : [[commit, head]])];
  return moves.map(([from, to]) => `${from} ${to} ${who}\tbegin\n`).join('');
}
