import type { BytePath } from './byte-path.js';
import { isSameFileIdentity, toFileIdentity } from './file-identity.js';
import type { MergedState } from './isolated-workspace.js';
import type { MergedPaths } from './merge-stage.js';
import { readEntry } from './tree-entry.js';

/**
 * Explains why a file of the original differs from the file of the step after the merge. Reads the file from the disk
 * and does not depend on what the merge believes to have done.
 */
export function compareMerged(
  root: string,
  { moved, combined }: MergedPaths,
  path: BytePath,
): MergedState {
  if (combined.has(path)) return 'combined';
  const there = readEntry(root, path);
  const isAsMoved = isSameFileIdentity(moved.get(path), there && toFileIdentity(there));
  return moved.has(path) && !isAsMoved ? 'changed-since' : 'different';
}
