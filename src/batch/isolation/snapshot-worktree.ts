import { relative, resolve, sep } from 'node:path';
import { listFiles } from '../../base/fs/list-files.js';
import { readFolder } from '../../base/fs/read-folder.js';
import type { GitDir } from '../../base/git/run-git.js';
import { type BytePath, describePath, isAtOrBelow, onDisk, toBytePath } from './byte-path.js';
import { copyIndex } from './copy-index.js';
import { readStats } from './file-identity.js';
import { gitLine } from './git-output.js';
import { addFiles, snapshotTree } from './snapshot-tree.js';
import { toTreePaths } from './tree-paths.js';
import { baseIndex, type WorktreeState } from './worktree-state.js';

export interface WorktreeSnapshot {
  readonly git: GitDir;
  readonly tree: string;
  /** Ignored files that are in the tree anyway. */
  readonly extraPaths: readonly BytePath[];
  readonly notes: readonly string[];
}

/**
 * Writes the files of a worktree as a tree object. Does not depend on its index, HEAD or `.git`, which the step may
 * change.
 */
export async function snapshotWorktree(
  state: WorktreeState,
  extraPaths: readonly string[],
): Promise<WorktreeSnapshot> {
  const { repository, home, linked } = state;
  const folder = home.tree;
  const git = { folder, gitDir: repository.gitDir, indexFile: `${home.folder}${sep}index.step` };
  copyIndex(baseIndex(home), git.indexFile);
  const isForeign = (path: BytePath): boolean => {
    return linked.some((link) => isAtOrBelow(link.path, path));
  };
  const dir = resolve(folder, repository.prefix);
  const extra = toTreePaths(folder, dir, extraPaths).filter((path) => !isForeign(path));
  const { tree, nested, submodules } = await snapshotTree({ git, isForeign, extraPaths: extra });
  // Git skips files in the folder of a submodule and in new repositories, so they are added here.
  const hidden = [...submodules.filter((path) => hasFiles(folder, path)), ...nested];
  if (hidden.length === 0) return { git, tree, extraPaths: extra, notes: [] };
  for (const path of hidden) await addFiles(git, await listHidden(folder, path));
  const notes = nested.map((path) => {
    return `Repository ${describePath(path)} was created by the step: its files are merged, its history is not`;
  });
  return { git, tree: await gitLine(git, ['write-tree']), extraPaths: extra, notes };
}

function hasFiles(folder: string, path: BytePath): boolean {
  const absolute = onDisk(folder, path).toString();
  return readStats(absolute)?.isDirectory() === true && readFolder(absolute).length > 0;
}

async function listHidden(folder: string, path: BytePath): Promise<BytePath[]> {
  const absolute = onDisk(folder, path).toString();
  const files = await listFiles(absolute, ['.gitignore'], { rulesFrom: absolute });
  return files.map((file) => toBytePath(relative(folder, file)));
}
