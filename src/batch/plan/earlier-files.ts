import { resolve } from 'node:path';
import { createGlob } from '../../base/fs/glob.js';
import { canonicalPath } from '../../base/fs/paths.js';

/** File changes of earlier runs of a batch. They keep the steps of a glob in `for` the same when a batch is resumed. */
export interface EarlierFiles {
  /** Values in the ids of matrix steps (`src/a.ts` of `convert[src/a.ts]`), by the id in the plan. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Canonical paths of files that did not exist before the batch wrote them. */
  readonly made: ReadonlySet<string>;
  /** Canonical paths of files that existed before the batch deleted them. */
  readonly removed: ReadonlySet<string>;
  /** Ids of steps with a killed attempt. The ledger does not know which files such an attempt deleted. */
  readonly killed: ReadonlySet<string>;
}

export interface FoundFiles {
  /** Id of the step in the plan. */
  readonly step: string;
  readonly folder: string;
  readonly pattern: string;
  /** Paths of the matching files, relative to the folder. */
  readonly paths: readonly string[];
}

/**
 * Returns the files of a matrix as they were before the batch began: files that the batch created add no steps, and
 * files that the batch deleted keep theirs. A matrix without steps from this pattern in the ledger keeps `paths`: its
 * files may be the output of other steps.
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
