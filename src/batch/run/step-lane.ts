import type { ProviderError } from '../../base/errors/provider-error.js';
import type { AttemptSpending } from './attempt-cost.js';

/** Right of a step to run, as one of the steps at the same time. */
export interface StepLane {
  /** Index of the lane, from 0. */
  readonly index: number;
  readonly signal: AbortSignal;
  /** Fallback model of the attempt. Undefined for the model of the step. */
  readonly model?: string | undefined;
  /** Gives the lane back when the agent has finished and the step may have to wait for its merge. Counts what was spent. */
  readonly free: (spent: AttemptSpending) => void;
}

/** End of an attempt, for the scheduler. */
export type StepOutcome =
  | { readonly kind: 'succeeded' | 'reused'; readonly spent: AttemptSpending }
  | { readonly kind: 'failed'; readonly error: ProviderError; readonly spent: AttemptSpending };
