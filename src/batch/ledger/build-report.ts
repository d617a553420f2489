import { isAbsolute, posix } from 'node:path';
import type { BatchFile, BatchReport, BatchWarning } from '../../api/batch-report.js';
import type { StepReport, StepState } from '../../api/step-report.js';
import { compareText } from '../../base/text/compare-text.js';
import { addUsage, NO_USAGE } from '../../base/usage/add-usage.js';
import type { LedgerFold, LedgerStepState } from './fold-ledger.js';
import { isWrittenByTool } from './is-written-by-tool.js';
import type { LedgerStep } from './ledger-entry.js';
import { mergeFiles } from './merge-files.js';

/** Builds the report of a batch from its ledger alone. */
export function buildReport(fold: LedgerFold): BatchReport {
  const steps = fold.steps.map((step) => buildStepReport(step, fold.stepState(step.id)));
  const counts = countStates(steps);
  const { runs, stop, warnings } = fold;
  const attempts = steps.flatMap((step) => step.attempts);
  return {
    name: fold.name,
    planHash: fold.planHash,
    outcome: outcomeOf(steps, counts, stop !== undefined, fold.isEnded),
    ...(stop === undefined ? {} : { stop }),
    startedAt: runs[0]?.startedAt ?? '',
    endedAt: runs.at(-1)?.endedAt ?? '',
    runs: runs.map((run) => ({ ...run })),
    durationMs: runs.reduce((sum, run) => {
      return sum + Date.parse(run.endedAt) - Date.parse(run.startedAt);
    }, 0),
    counts,
    usage: attempts.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
    steps,
    files: collectFiles(steps, warnings, (id) => fold.stepState(id).endOrder),
    warnings,
  };
}

export function buildStepReport(step: LedgerStep, known: LedgerStepState): StepReport {
  const { attempts, prompt, done, error, skippedBecauseOf, skip } = known;
  const usage = attempts.reduce((sum, attempt) => addUsage(sum, attempt.usage), NO_USAGE);
  const partial = error?.partial;
  const state = stateOfStep(known);
  // A step that failed or was skipped in this run does not show the result of an earlier run.
  const result = state === 'succeeded' ? done?.result : undefined;
  return {
    ...step,
    state,
    ...(skippedBecauseOf === undefined ? {} : { skippedBecauseOf }),
    ...(skip === undefined ? {} : { skip }),
    reused: state === 'succeeded' && known.isEarlier,
    ...(prompt === undefined ? {} : { prompt }),
    attempts,
    durationMs: attempts.reduce((sum, { startedAt, endedAt, waitedMs = 0 }) => {
      return endedAt === undefined
        ? sum
        : sum + Date.parse(endedAt) - Date.parse(startedAt) - waitedMs;
    }, 0),
    waitMs: attempts.reduce((sum, { waitedMs = 0, endedAt, mergedAt }) => {
      const isMerged = endedAt !== undefined && mergedAt !== undefined;
      return sum + waitedMs + (isMerged ? Date.parse(mergedAt) - Date.parse(endedAt) : 0);
    }, 0),
    ...(attempts.length === 0 ? {} : { usage }),
    text: result?.text ?? partial?.text,
    data: result?.data,
    files: (done?.result.files ?? mergeFiles(known.leftFiles)).map((file) => {
      return { ...file, path: pathInBatch(step, file.path) };
    }),
    model: result?.model ?? partial?.model,
    generationId: result?.generationId ?? error?.generationId ?? partial?.generationId,
    sessionId: result?.sessionId ?? partial?.sessionId,
    deniedTools: result?.deniedTools ?? partial?.deniedTools ?? [],
    warnings: result?.warnings ?? partial?.warnings ?? [],
    ...(error === undefined ? {} : { error }),
  };
}

export function stateOfStep({
  done,
  error,
  isCancelled,
  isOpen,
  skip,
}: LedgerStepState): StepState {
  if (error !== undefined) return 'failed';
  if (isCancelled) return 'cancelled';
  if (skip !== undefined) return 'skipped';
  return done === undefined || isOpen ? 'pending' : 'succeeded';
}

function countStates(steps: readonly StepReport[]): Record<StepState, number> {
  const counts = {
    succeeded: 0,
    failed: 0,
    skipped: 0,
    cancelled: 0,
    pending: 0,
    running: 0,
    merging: 0,
  };
  for (const { state } of steps) counts[state]++;
  return counts;
}

function outcomeOf(
  steps: readonly StepReport[],
  counts: Record<StepState, number>,
  isStopped: boolean,
  isEnded: boolean,
): BatchReport['outcome'] {
  // A killed batch has not checked all its steps: results of earlier runs may not match the plan of this run.
  if (!isEnded || counts.pending > 0 || counts.cancelled > 0) return 'stopped';
  if (!hasFailure(steps)) return 'succeeded';
  return isStopped ? 'stopped' : 'failed';
}

/** True if a step failed without `continueOnError`, or was skipped although neither condition nor selection asked for it. */
function hasFailure(steps: readonly StepReport[]): boolean {
  const byCondition = new Set(
    steps.flatMap(({ id, skip }) => (skip?.reason === 'condition' ? [id] : [])),
  );
  return steps.some(({ id, state, skip, continueOnError }) => {
    if (state === 'failed') return continueOnError !== true;
    if (state !== 'skipped' || skip?.reason === 'selection') return false;
    return !byCondition.has(skip?.stepId ?? id);
  });
}

/** Collects the files of all steps, sorted by path. Changes are merged in the order in which the steps ended. */
function collectFiles(
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
function pathInBatch({ folder }: Pick<LedgerStep, 'folder'>, path: string): string {
  return folder === '' || isAbsolute(path) ? path : posix.join(folder, path);
}
