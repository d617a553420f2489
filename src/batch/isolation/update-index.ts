import type { GitDir } from '../../base/git/run-git.js';
import { type BytePath, foldersAbove, joinNames, onDisk } from './byte-path.js';
import { readStats } from './file-identity.js';
import { gitOutput } from './git-output.js';
import { readEntry } from './tree-entry.js';

/**
 * Brings paths of an index up to date with the files of the working tree: also ignored files and those that replace a
 * submodule. Removed files drop out of the index.
 */
export async function updateIndex(
  git: GitDir,
  paths: readonly BytePath[],
  signal?: AbortSignal,
): Promise<void> {
  const refused = paths.filter((path) => isRefused(git.folder, path));
  if (refused.length > 0) {
    const args = ['update-index', '--force-remove', '-z', '--stdin'];
    await gitOutput(git, args, { stdin: joinNames(refused), signal });
  }
  const without = new Set(refused);
  const accepted = paths.filter((path) => !without.has(path));
  if (accepted.length === 0) return;
  const args = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'];
  await gitOutput(git, args, { stdin: joinNames(accepted), signal });
}

/**
 * True for paths that git refuses, and with them all others: a FIFO, socket or device in the place of a file, and a path
 * behind a link. Neither is a file of the tree.
 */
function isRefused(folder: string, path: BytePath): boolean {
  const stats = readEntry(folder, path);
  if (stats === undefined) {
    return foldersAbove(path).some((at) => readStats(onDisk(folder, at))?.isSymbolicLink());
  }
  return !stats.isFile() && !stats.isSymbolicLink() && !stats.isDirectory();
}
