import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GitDir } from '../../base/git/run-git.js';
import { copyIndex } from '../../batch/isolation/copy-index.js';
import { gitOutput } from '../../batch/isolation/git-output.js';
import { baseIndex } from '../../batch/isolation/worktree-state.js';
import { toIgnoreRule } from './git-folder.js';

const PERMISSIONS = 0o7777;

export interface CheckOutRequest {
  /** Folder of the attempt, which may have the tree of an earlier attempt. */
  readonly folder: string;
  readonly git: GitDir & { readonly gitDir: string };
  readonly treeName: string;
  /** Paths below the tree that stay although they are not in it. */
  readonly kept: readonly string[];
  /** True if `cleanTree` was called before. */
  readonly isCleaned: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Moves the tree of an earlier attempt to the path of this one, without the repository of its agent. Returns false if there
 * is none, or if it cannot be used.
 */
export function moveEarlierTree(folder: string, tree: string): boolean {
  const parent = join(folder, 'tree');
  const [name, ...others] = existsSync(parent) ? readdirSync(parent) : [];
  if (name === undefined || others.length > 0 || !existsSync(baseIndex({ folder }))) return false;
  if (join(parent, name) !== tree) renameSync(join(parent, name), tree);
  rmSync(join(tree, '.git'), { recursive: true, force: true });
  return true;
}

/**
 * Checks out a tree. With the tree of an earlier attempt, git compares every file with the index from the time of its
 * checkout, change time and inode included, writes what differs, and removes what is new.
 */
export async function checkOutTree(request: CheckOutRequest, isReused: boolean): Promise<void> {
  const { folder, git, treeName, isCleaned, signal } = request;
  if (isReused && !isCleaned) await cleanTree(request);
  await gitOutput(git, ['read-tree', '--reset', '-u', treeName], { signal });
  copyIndex(join(git.gitDir, 'index'), baseIndex({ folder }));
}

/**
 * Removes what is not in the index of the earlier attempt. A folder that was replaced by a link to its copy must go before git looks at
 * the files in it.
 */
export async function cleanTree(
  request: Pick<CheckOutRequest, 'folder' | 'git' | 'kept' | 'signal'>,
): Promise<void> {
  const { folder, git, kept, signal } = request;
  copyIndex(baseIndex({ folder }), join(git.gitDir, 'index'));
  const except = kept.flatMap((path) => ['-e', toIgnoreRule(path)]);
  await gitOutput(git, ['clean', '-ffdxq', ...except], { signal });
}

/** True if all folders of a tree have the permissions of the folder that contains it: git does not look at permissions of folders. */
export function hasPlainFolders(tree: string, kept: ReadonlySet<string>): boolean {
  const mode = lstatSync(dirname(tree)).mode & PERMISSIONS;
  if ((lstatSync(tree).mode & PERMISSIONS) !== mode) return false;
  const pending = [''];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of readdirSync(join(tree, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (!entry.isDirectory() || kept.has(path)) continue;
      if ((lstatSync(join(tree, path)).mode & PERMISSIONS) !== mode) return false;
      pending.push(path);
    }
  }
  return true;
}

/** Removes what an earlier attempt has left, after its tree could not be used. */
export function startAnew(folder: string, tree: string): void {
  rmSync(join(folder, 'tree'), { recursive: true, force: true });
  rmSync(baseIndex({ folder }), { force: true });
  mkdirSync(tree, { recursive: true });
}
