import { rmSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { type BytePath, isAtOrBelow, onDisk, splitNames } from './byte-path.js';
import { copyIndex } from './copy-index.js';
import { gitOutput } from './git-output.js';
import { keepFiles } from './keep-files.js';
import { readEntry } from './tree-entry.js';
import { toTreePaths } from './tree-paths.js';
import { baseIndex, type WorktreeState } from './worktree-state.js';

/** Parts of an open worktree that its changed files are found by. */
export interface ChangedWorktree extends Pick<WorktreeState, 'linked'> {
  readonly repository: Pick<WorktreeState['repository'], 'gitDir' | 'prefix'>;
  readonly home: Pick<WorktreeState['home'], 'tree' | 'folder'>;
}

const LISTS = [
  ['--modified', '--deleted'],
  ['--others', '--exclude-standard'],
];

/**
 * Keeps the changed files of a worktree in a folder, without writing to the repository. A patch needs git objects, and
 * the disk of the repository may be full. Returns undefined if there are no changes.
 */
export async function keepWorktreeFiles(
  { repository, home, linked }: ChangedWorktree,
  extraPaths: readonly string[],
  folder: string,
): Promise<string | undefined> {
  const { tree } = home;
  const git = {
    folder: tree,
    gitDir: repository.gitDir,
    indexFile: `${home.folder}${sep}index.kept`,
  };
  copyIndex(baseIndex(home), git.indexFile);
  const paths = new Set<BytePath>(toTreePaths(tree, resolve(tree, repository.prefix), extraPaths));
  for (const list of LISTS) {
    for (const path of splitNames(await gitOutput(git, ['ls-files', ...list, '-z'])))
      paths.add(path);
  }
  const changes = [...paths].sort().flatMap((path) => {
    if (linked.some((link) => isAtOrBelow(link.path, path))) return [];
    const there = readEntry(tree, path);
    if (there?.isDirectory()) return [];
    const isKept = there?.isFile() || there?.isSymbolicLink();
    return isKept ? { path, source: onDisk(tree, path) } : { path };
  });
  if (changes.length === 0) return undefined;
  // The disk may have filled up in the middle of a patch.
  rmSync(folder, { recursive: true, force: true });
  keepFiles(changes, folder);
  return folder;
}
