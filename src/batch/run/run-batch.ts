import type { BatchEvent } from '../../api/batch-event.js';
import type { BatchOptions } from '../../api/batch-options.js';
import type { BatchPlan, ExpandedPlan, PlanStep } from '../../api/batch-plan.js';
import type { BatchReport } from '../../api/batch-report.js';
import { expandPlan } from '../plan/expand-plan.js';
import { readPlan } from '../plan/read-plan.js';
import { BatchRun } from './batch-run.js';
import { readEarlierFiles } from './read-earlier-files.js';

/**
 * A batch at work: await it for its report, or loop over its events, of which the last has the report too. The loop
 * sees what happens from its own beginning on.
 */
export interface RunningBatch extends Promise<BatchReport>, AsyncIterable<BatchEvent> {
  /** No more steps are started, those at work go on. */
  stop(): void;
  /** Steps at work are cancelled too. Both leave a batch that can be resumed. */
  cancel(): void;
}

/** Runs a plan: the path of its file, or the plan itself. Throws INVALID_CONFIG with all its problems at once. */
export function runBatch(
  plan: string | BatchPlan | readonly PlanStep[] | ExpandedPlan,
  options: BatchOptions = {},
): RunningBatch {
  const run = new BatchRun(preparePlan(plan, options), options);
  const report = run.report.then();
  // Who loops hears of it in the loop.
  report.catch(() => {});
  return Object.assign(report, {
    stop: () => run.stop(),
    cancel: () => run.cancel(),
    [Symbol.asyncIterator]: () => run[Symbol.asyncIterator](),
  });
}

async function preparePlan(
  plan: string | BatchPlan | readonly PlanStep[] | ExpandedPlan,
  options: BatchOptions,
): Promise<ExpandedPlan> {
  const readEarlier = () => readEarlierFiles(options);
  if (typeof plan === 'string') return readPlan(plan, { readEarlier });
  if (isExpanded(plan)) return plan;
  return expandPlan(plan, { baseDir: options.baseDir, readEarlier });
}

function isExpanded(plan: BatchPlan | readonly PlanStep[] | ExpandedPlan): plan is ExpandedPlan {
  return 'hash' in plan && 'baseDir' in plan;
}
