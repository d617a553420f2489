import type { BatchReport, BatchRunReport } from '../../api/batch-report.js';
import type { CostEstimate } from '../../api/cost.js';
import type { AttemptReport, StepReport, StepSkip, StepState } from '../../api/step-report.js';
import { sumCosts } from '../../base/usage/add-costs.js';
import { addUsage, NO_USAGE } from '../../base/usage/add-usage.js';
import { estimateCost } from '../../base/usage/estimate-cost.js';
import { collectFiles, pathInBatch } from './collect-files.js';
import { countStates } from './count-states.js';
import type { LedgerFold } from './fold-ledger.js';
import type { LedgerStep } from './ledger-entry.js';
import type { LedgerStepState, OpenAttempt } from './ledger-step-state.js';
import { mergeFiles } from './merge-files.js';

export interface ReportOptions {
  /**
   * True if a process runs the batch now: an attempt without an end is at work. Otherwise the batch was killed during
   * such an attempt.
   */
  readonly isAlive?: boolean | undefined;
  /** Present time, ISO 8601: the last run of a batch at work has lasted until then. */
  readonly now?: string | undefined;
}

/** Builds the report of a batch from its ledger alone. */
export function buildReport(
  fold: LedgerFold,
  { isAlive = false, now }: ReportOptions = {},
): BatchReport {
  const isRunning = isAlive && !fold.isEnded;
  const steps = fold.steps.map((step) => {
    const open = fold.openAttempt(step.id);
    return buildStepReport(step, fold.stepState(step.id), open && { ...open, isRunning });
  });
  const counts = countStates(steps);
  const selected = steps.filter(({ leftOut }) => leftOut !== true);
  const { stop, warnings } = fold;
  const runs = extendLastRun(fold.runs, isRunning ? now : undefined);
  const attempts = steps.flatMap((step) => step.attempts);
  return {
    name: fold.name,
    planHash: fold.planHash,
    outcome: isRunning ? 'running' : outcomeOf(selected, stop !== undefined, fold.isEnded),
    ...(stop === undefined ? {} : { stop }),
    startedAt: runs[0]?.startedAt ?? '',
    endedAt: runs.at(-1)?.endedAt ?? '',
    runs,
    durationMs: runs.reduce((sum, run) => {
      return sum + Date.parse(run.endedAt) - Date.parse(run.startedAt);
    }, 0),
    counts,
    usage: attempts.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
    ...withCost(sumCosts(attempts.map(({ cost }) => cost))),
    steps,
    files: collectFiles(steps, warnings, (id) => fold.stepState(id).endOrder),
    warnings,
  };
}

function extendLastRun(
  runs: readonly BatchRunReport[],
  now: string | undefined,
): readonly BatchRunReport[] {
  return runs.map((run, index) => {
    const isLast = index === runs.length - 1;
    return isLast && now !== undefined && now > run.endedAt ? { ...run, endedAt: now } : { ...run };
  });
}

export function buildStepReport(
  step: LedgerStep,
  known: LedgerStepState,
  open?: OpenAttempt & { readonly isRunning: boolean },
): StepReport {
  const { prompt, done, error, skippedBecauseOf } = known;
  const ended = known.attempts.map(addMissingCost);
  const attempts = open === undefined ? ended : [...ended, describeOpen(open)];
  const usage = attempts.reduce((sum, attempt) => addUsage(sum, attempt.usage), NO_USAGE);
  const partial = error?.partial;
  const state = open?.isRunning === true ? 'running' : stateOfStep(known);
  const isLeftOut = state === 'skipped' && known.skip === undefined;
  const skip = isLeftOut ? LEFT_OUT : known.skip;
  // A step that failed or was skipped in this run does not show the result of an earlier run.
  const result = state === 'succeeded' ? done?.result : undefined;
  const commit = result && known.committed?.commit;
  const expectations = result?.expectations ?? partial?.expectations;
  return {
    ...step,
    state,
    ...(skippedBecauseOf === undefined ? {} : { skippedBecauseOf }),
    ...(skip === undefined ? {} : { skip }),
    reused: state === 'succeeded' && known.isEarlier,
    ...(known.isLeftOut ? { leftOut: true } : {}),
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
    ...withCost(sumCosts(attempts.map(({ cost }) => cost))),
    text: result?.text ?? partial?.text,
    data: result?.data,
    files: (done?.result.files ?? mergeFiles(known.leftFiles)).map((file) => {
      return { ...file, path: pathInBatch(step, file.path) };
    }),
    ...(commit === undefined ? {} : { commit }),
    model: result?.model ?? partial?.model,
    generationId: result?.generationId ?? error?.generationId ?? partial?.generationId,
    sessionId: result?.sessionId ?? partial?.sessionId,
    deniedTools: result?.deniedTools ?? partial?.deniedTools ?? [],
    warnings: result?.warnings ?? partial?.warnings ?? [],
    ...(expectations === undefined ? {} : { expectations }),
    ...(error === undefined ? {} : { error }),
  };
}

/** Estimates the cost of an attempt of an earlier version, which has none in the ledger, by the prices of its day. */
function addMissingCost(attempt: AttemptReport): AttemptReport {
  const { usage, cost, startedAt } = attempt;
  if (usage === undefined || cost !== undefined) return attempt;
  return { ...attempt, cost: estimateCost(usage, { at: new Date(startedAt) }) };
}

function withCost(cost: CostEstimate | undefined): { readonly cost?: CostEstimate } {
  return cost === undefined ? {} : { cost };
}

function describeOpen({
  isRunning,
  ...attempt
}: OpenAttempt & { readonly isRunning: boolean }): AttemptReport {
  return { ...attempt, outcome: isRunning ? 'running' : 'interrupted', repairs: 0 };
}

const LEFT_OUT: StepSkip = { reason: 'selection', message: 'The run was told to leave it out' };

export function stateOfStep(known: LedgerStepState): StepState {
  const { done, saved, error, isCancelled, isOpen, skip, isLeftOut } = known;
  if (error !== undefined) return 'failed';
  // A cancel during the merge leaves the saved changes of the step to the next run.
  if (isCancelled) return saved === undefined ? 'cancelled' : 'merging';
  if (skip !== undefined) return 'skipped';
  if (saved !== undefined) return 'merging';
  if (done !== undefined && !isOpen) return 'succeeded';
  return isLeftOut ? 'skipped' : 'pending';
}

function outcomeOf(
  steps: readonly StepReport[],
  isStopped: boolean,
  isEnded: boolean,
): BatchReport['outcome'] {
  const counts = countStates(steps);
  // A killed batch has not checked all its steps: results of earlier runs may not match the plan of this run.
  if (!isEnded || counts.pending + counts.cancelled + counts.merging > 0) return 'stopped';
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
