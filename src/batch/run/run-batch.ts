import type { BatchEvent } from '../../api/batch-event.js';
import type { BatchOptions } from '../../api/batch-options.js';
import type { BatchPlan, ExpandedPlan, PlanStep } from '../../api/batch-plan.js';
import type { BatchReport } from '../../api/batch-report.js';
import { readInput } from '../../base/errors/invalid-input.js';
import { answerLimitMs } from '../plan/answer-limit.js';
import { checkPlanInput } from '../plan/check-plan-input.js';
import { expandPlan } from '../plan/expand-plan.js';
import { readPlan } from '../plan/read-plan.js';
import { acceptBatchOptions } from './accept-batch-options.js';
import { BatchRun } from './batch-run.js';
import { readEarlierFiles } from './read-earlier-files.js';

/**
 * A running batch. Await it for its report, or loop over its events; the last event has the report too. A loop gets
 * the events from its own start on.
 */
export interface RunningBatch extends Promise<BatchReport>, AsyncIterable<BatchEvent> {
  /**
   * Starts no more steps. Running steps go on. The batch can be resumed. `cause` ends the sentence "The batch was stopped"
   * in the report, as `by the operator` does.
   */
  stop(cause?: string): void;
  /** Starts no more steps and cancels the running ones. The batch can be resumed. `cause` as for `stop`. */
  cancel(cause?: string): void;
}

/**
 * Runs a plan: the path of its file, a plan from code, a list of steps, or an expanded plan. Rejects with
 * INVALID_CONFIG and all problems at once if the plan is wrong. A failed step does not reject; the report has it.
 */
export function runBatch(
  plan: string | BatchPlan | readonly PlanStep[] | ExpandedPlan,
  options: BatchOptions = {},
): RunningBatch {
  const accepted = acceptLater(options);
  const run = new BatchRun((signal) => preparePlan(plan, accepted, signal), accepted.options);
  const report = run.report.then();
  // A rejection also reaches the loop, so a caller that only loops need not handle this promise.
  report.catch(() => {});
  return Object.assign(report, {
    stop: (cause?: string) => run.stop(cause),
    cancel: (cause?: string) => run.cancel(cause),
    [Symbol.asyncIterator]: () => run[Symbol.asyncIterator](),
  });
}

interface LaterOptions {
  readonly options: BatchOptions;
  /** Problem of the options. The promise of the batch rejects with it; `runBatch` itself never throws. */
  readonly problem?: unknown;
}

function acceptLater(options: BatchOptions): LaterOptions {
  try {
    return { options: acceptBatchOptions(options) };
  } catch (problem) {
    return { options: {}, problem };
  }
}

async function preparePlan(
  plan: string | BatchPlan | readonly PlanStep[] | ExpandedPlan,
  { options, problem }: LaterOptions,
  signal: AbortSignal,
): Promise<ExpandedPlan> {
  if (problem !== undefined) throw problem;
  const limits = { signal, limitMs: answerLimitMs(options) };
  const readEarlier = () => readEarlierFiles(options, limits);
  if (typeof plan === 'string') return readPlan(plan, { readEarlier, ...limits });
  checkPlanInput(plan);
  if (isExpanded(plan)) return plan;
  const given = { baseDir: options.baseDir, readEarlier, ...limits };
  return expandPlan(plan, given).catch((error: unknown) =>
    // A value deep in the plan may throw when it is read, as a proxy does.
    readInput(
      'The plan',
      () => {
        throw error;
      },
      'INVALID_CONFIG',
    ),
  );
}

function isExpanded(plan: BatchPlan | readonly PlanStep[] | ExpandedPlan): plan is ExpandedPlan {
  return 'hash' in plan && 'baseDir' in plan;
}
