import { resolve } from 'node:path';
import { createGlob } from '../../base/fs/glob.js';
import { canonicalPath } from '../../base/fs/paths.js';

/** What earlier runs of a batch have done to the files that its plan is about. */
export interface EarlierFiles {
  /** By the id in the plan: what the steps of a matrix were made for. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** By canonical path: files that are there because of the batch, and those that no longer are. */
  readonly made: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
  /** Ids of steps that were killed at work: what they have removed stands nowhere. */
  readonly killed: ReadonlySet<string>;
}

export interface FoundFiles {
  readonly step: string;
  readonly folder: string;
  readonly pattern: string;
  /** From the folder. */
  readonly paths: readonly string[];
}

/**
 * The files of a matrix as they were before the batch began: its own work adds no steps, and takes away none that it
 * has done. Not for a matrix that was never made from this pattern, which may well be about what others have written.
 */
export function restoreMatches(found: FoundFiles, earlier: EarlierFiles): readonly string[] {
  const { step, folder, pattern, paths } = found;
  const known = (earlier.values.get(step) ?? []).filter(createGlob(pattern));
  if (known.length === 0) return paths;
  const canonical = (path: string): string => canonicalPath(resolve(folder, path));
  const kept = paths.filter((path) => !earlier.made.has(canonical(path)));
  const removed = known.filter((path) => {
    return earlier.removed.has(canonical(path)) || earlier.killed.has(`${step}[${path}]`);
  });
  return [...new Set([...kept, ...removed])].sort();
}
