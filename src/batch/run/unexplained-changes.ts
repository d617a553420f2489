import { relative } from 'node:path';
import type { PlannedStep } from '../../api/batch-plan.js';
import type { BatchWarning } from '../../api/batch-report.js';
import { canonicalPath, realpathOf, toSlashes } from '../../base/fs/paths.js';
import type { Baseline } from './baseline.js';
import type { BatchState } from './batch-state.js';

const MOST_NAMED = 20;

/**
 * Builds a warning with the files that differ from the baseline and that no step has reported. A killed attempt
 * reports nothing, and the next attempt may change other files.
 */
export async function findUnexplainedChanges(
  steps: readonly PlannedStep[],
  state: BatchState,
  baseline: Baseline,
  signal?: AbortSignal,
): Promise<BatchWarning | undefined> {
  const killed = steps.filter(
    ({ id, isolation }) => isolation === 'shared' && state.killed.has(id),
  );
  // Without a killed attempt nothing is looked at: a folder may lie on a file system that does not answer.
  if (killed.length === 0) return undefined;
  const folders = new Set(killed.map(({ config }) => String(config['workingDir'])));
  const explained = explainChanges(steps, state);
  const paths = new Set<string>();
  for (const folder of folders) {
    const changes = await baseline.findChanges(folder, explained, signal);
    for (const path of changes) paths.add(toSlashes(relative(realpathOf(folder), path)));
  }
  if (paths.size === 0) return undefined;
  const named = [...paths].sort();
  const more = named.length > MOST_NAMED ? ` and ${named.length - MOST_NAMED} more` : '';
  return {
    code: 'UNEXPLAINED_CHANGES',
    message: `Changed by a killed attempt or by another program, and reported by no step: ${named.slice(0, MOST_NAMED).join(', ')}${more}`,
    steps: killed.map(({ id }) => id),
    paths: named,
  };
}

/** Collects all hashes that steps have reported for each file, by canonical path. Failed attempts count too. */
function explainChanges(
  steps: readonly PlannedStep[],
  state: BatchState,
): ReadonlyMap<string, ReadonlySet<string | undefined>> {
  const explained = new Map<string, Set<string | undefined>>();
  const add = (path: string, hash: string | undefined): void => {
    const hashes = explained.get(path) ?? new Set();
    explained.set(path, hashes.add(hash));
  };
  for (const [path, hash] of state.writtenByBatch) add(path, hash);
  const left = steps.flatMap(({ id }) => state.stepState(id).leftFiles.flat());
  for (const { absolutePath, sha256After } of left) add(canonicalPath(absolutePath), sha256After);
  return explained;
}
