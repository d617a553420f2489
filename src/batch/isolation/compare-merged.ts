import { basename, dirname, join, relative } from 'node:path';
import { readFileState } from '../../base/fs/fingerprint.js';
import { isInside, realpathOf } from '../../base/fs/paths.js';
import { isAtOrBelow, toBytePath } from './byte-path.js';
import { isSameFileIdentity, toFileIdentity } from './file-identity.js';
import type { MergedState } from './isolated-workspace.js';
import type { LinkedFolder } from './linked-folders.js';
import type { MergedPaths } from './merge-stage.js';
import type { MappedFolders, PathMap } from './path-map.js';
import { readEntry } from './tree-entry.js';

export interface ComparedFolders extends MappedFolders, PathMap {
  readonly linked: readonly LinkedFolder[];
}

/**
 * Compares a file of the step with the same file in the original after the merge. Reads both from the disk and does not
 * depend on what the merge believes to have done.
 */
export async function compareMerged(
  { root, tree, linked, toOriginal }: ComparedFolders,
  { moved, combined }: MergedPaths,
  absolutePath: string,
): Promise<MergedState> {
  const original = toOriginal(absolutePath);
  const [theirs, ours] = [await readFileState(absolutePath), await readFileState(original)];
  if (theirs?.sha256 === ours?.sha256) return 'same';
  const folder = realpathOf(dirname(absolutePath));
  if (original === absolutePath || !isInside(tree, folder)) return 'not-merged';
  const path = toBytePath(relative(tree, join(folder, basename(absolutePath))));
  if (linked.some((link) => isAtOrBelow(link.path, path))) return 'not-merged';
  if (combined.has(path)) return 'combined';
  const there = readEntry(root, path);
  const isAsMoved = isSameFileIdentity(moved.get(path), there && toFileIdentity(there));
  return moved.has(path) && !isAsMoved ? 'changed-since' : 'different';
}
