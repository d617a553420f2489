import type { BigIntStats } from 'node:fs';
import { createEventLoopYield } from '../../base/process/yield-to-event-loop.js';
import { type BytePath, isAtOrBelow, onDisk } from './byte-path.js';
import type { CopyState } from './copy-state.js';
import { type FileSnapshot, hasKnownContent, permissionsOf } from './file-snapshot.js';
import type { StepChange } from './step-changes.js';
import { readEntry } from './tree-entry.js';
import { toTreePaths } from './tree-paths.js';
import { walkFolder } from './walk-folder.js';

const ENTRIES_PER_YIELD = 64;

/**
 * Finds the changes of a step in its copy. Ignored files count only if they were not ignored before or are in
 * `extraPaths`.
 */
export async function findCopyChanges(
  state: CopyState,
  extraPaths: readonly string[],
): Promise<StepChange[]> {
  const { root, home, known, linked } = state;
  const { tree } = home;
  const isLinked = (path: BytePath): boolean => linked.some((at) => isAtOrBelow(at.path, path));
  const isSkipped = (path: BytePath, _stats: BigIntStats, isIgnored: boolean): boolean => {
    return isIgnored || isLinked(path);
  };
  const eventLoop = createEventLoopYield({ every: ENTRIES_PER_YIELD });
  const changes: StepChange[] = [];
  const seen = new Set<BytePath>();
  const isUnchanged = async (
    path: BytePath,
    before: FileSnapshot,
    there: BigIntStats,
  ): Promise<boolean> => {
    if (there.isFile() && permissionsOf(there) !== before.permissions) return false;
    return hasKnownContent(tree, path, before, before.copyStamp);
  };
  const compare = async (path: BytePath): Promise<void> => {
    if (seen.has(path)) return;
    seen.add(path);
    await eventLoop.spend(1);
    const source = onDisk(tree, path);
    const before = known.get(path);
    const there = readEntry(tree, path);
    if (there === undefined || !(there.isFile() || there.isSymbolicLink())) {
      if (before !== undefined) changes.push({ path, known: before });
    } else if (before === undefined || !(await isUnchanged(path, before, there))) {
      changes.push({ path, source, known: before });
    }
  };
  for (const { path, stats } of walkFolder(tree, { original: root, isSkipped })) {
    if (stats.isFile() || stats.isSymbolicLink()) await compare(path);
  }
  for (const [path, { isIgnored }] of known) if (!isIgnored) await compare(path);
  for (const path of toTreePaths(tree, tree, extraPaths)) if (!isLinked(path)) await compare(path);
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}
