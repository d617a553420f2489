import { isAbsolute, posix } from 'node:path';
import type { BatchFile, BatchWarning } from '../../api/batch-report.js';
import type { StepReport } from '../../api/step-report.js';
import { compareText } from '../../base/text/compare-text.js';
import { isWrittenByTool } from './is-written-by-tool.js';
import type { LedgerStep } from './ledger-entry.js';
import { mergeFiles } from './merge-files.js';

/** Collects the files of all steps, sorted by path. Changes are merged in the order in which the steps ended. */
export function collectFiles(
  steps: readonly StepReport[],
  warnings: readonly BatchWarning[],
  endOrder: (stepId: string) => number,
): BatchFile[] {
  const ended = steps
    .filter(({ files }) => files.length > 0)
    .toSorted((a, b) => endOrder(a.id) - endOrder(b.id));
  const writers = findWriters(ended);
  const conflicts = findConflicts(steps, warnings);
  return mergeFiles(ended.map(({ files }) => files))
    .map((file): BatchFile => {
      const { path, absolutePath, kind, bytes, sha256Before, sha256After, sensitive } = file;
      return {
        path,
        absolutePath,
        kind,
        bytes,
        ...(sha256Before === undefined ? {} : { sha256Before }),
        ...(sha256After === undefined ? {} : { sha256After }),
        steps: writers.get(file.absolutePath) ?? [],
        conflicts: conflicts.get(path) ?? [],
        ...(sensitive === undefined ? {} : { sensitive }),
      };
    })
    .sort((a, b) => compareText(a.path, b.path));
}

/**
 * Returns the ids of the steps that wrote each file, by absolute path. A step during which the file changed without a
 * tool call counts only if no step wrote the file with a tool.
 */
function findWriters(steps: readonly StepReport[]): ReadonlyMap<string, readonly string[]> {
  const byTool = new Map<string, string[]>();
  const byUnknown = new Map<string, string[]>();
  for (const { id, files } of steps) {
    for (const file of files) {
      const writers = isWrittenByTool(file) ? byTool : byUnknown;
      const known = writers.get(file.absolutePath);
      if (known === undefined) writers.set(file.absolutePath, [id]);
      else known.push(id);
    }
  }
  return new Map([...byUnknown, ...byTool]);
}

/** Returns the steps in conflict by path: steps that wrote the file at the same time, or whose merge failed on it. */
function findConflicts(
  steps: readonly StepReport[],
  warnings: readonly BatchWarning[],
): ReadonlyMap<string, readonly string[]> {
  const conflicts = new Map<string, string[]>();
  const add = (path: string, ids: readonly string[]): void => {
    conflicts.set(path, [...new Set([...(conflicts.get(path) ?? []), ...ids])]);
  };
  for (const { code, paths = [], steps: ids } of warnings) {
    const last = steps.find(({ id }) => id === ids.at(-1));
    if (code !== 'SAME_FILE' || last === undefined) continue;
    for (const path of paths) add(pathInBatch(last, path), ids);
  }
  for (const step of steps) {
    for (const { kind, paths = [] } of step.error?.missing ?? []) {
      if (kind === 'merge') for (const path of paths) add(pathInBatch(step, path), [step.id]);
    }
  }
  return conflicts;
}

/** Prefixes a path with the folder of its step: steps in two folders may each have a file of the same name. */
export function pathInBatch({ folder }: Pick<LedgerStep, 'folder'>, path: string): string {
  return folder === '' || isAbsolute(path) ? path : posix.join(folder, path);
}
