import type { PlannedStep } from '../../api/batch-plan.js';
import type { BatchState } from './batch-state.js';
import type { StepRunner } from './step-runner.js';

/** Longest check of earlier results after a cancel. */
const CANCELLED_CHECK_MS = 1_000;

export interface RecheckOptions {
  readonly steps: readonly PlannedStep[];
  readonly state: BatchState;
  readonly runner: StepRunner;
  /** Steps whose result was checked in this run and is still valid. */
  readonly reused: ReadonlySet<string>;
  readonly signal: AbortSignal;
  readonly finish: (step: PlannedStep) => void;
}

/**
 * Checks results of earlier runs that a stopped batch has not reached. Steps whose result is outdated become `pending`.
 */
export async function recheckResults(options: RecheckOptions): Promise<void> {
  const { steps, state, runner, reused, signal, finish } = options;
  const writing: Promise<void>[] = [];
  const limit = signal.aborted ? AbortSignal.timeout(CANCELLED_CHECK_MS) : signal;
  for (const step of steps) {
    const { id } = step;
    if (!state.stepState(id).isEarlier || reused.has(id)) continue;
    if (!state.hasSucceeded(id)) continue;
    if (!(await runner.isUpToDate(step, limit))) {
      writing.push(state.write({ type: 'open', step: id }));
    }
    finish(step);
  }
  await Promise.all(writing);
}
