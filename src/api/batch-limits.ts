import type { Duration } from './duration.js';

/**
 * Order in which changes of isolated steps are merged: `finish`, as steps finish; `plan`, in the order of the plan, so
 * that a finished step waits for the slower steps before it.
 */
export type MergeOrderOption = 'finish' | 'plan';

/** Limits of one run of a batch. A resumed batch counts from zero. */
export interface BatchLimits {
  /**
   * Steps that may run at the same time.
   *
   * @defaultValue `4`
   */
  readonly concurrency?: number | undefined;
  /**
   * Start no more steps once the batch has used this many tokens.
   *
   * @defaultValue no limit
   */
  readonly maxTotalTokens?: number | undefined;
  /**
   * Start no more steps once the batch has cost this many US dollars by list price. Needs models with known prices.
   *
   * @defaultValue no limit
   */
  readonly maxCost?: number | undefined;
  /**
   * Start no more steps after this time: seconds, or a text as `2h30m`.
   *
   * @defaultValue no limit
   */
  readonly maxDuration?: Duration | undefined;
  /**
   * Start no more steps after this many failed steps.
   *
   * @defaultValue no limit
   */
  readonly maxFailures?: number | undefined;
  /**
   * Retries that all steps may use together.
   *
   * @defaultValue no limit
   */
  readonly maxRetries?: number | undefined;
  /**
   * Start no more steps after the first failed step.
   *
   * @defaultValue `false`
   */
  readonly failFast?: boolean | undefined;
  /**
   * Order in which changes of isolated steps are merged: as steps finish, or in the order of the plan.
   *
   * @defaultValue `'finish'`
   */
  readonly mergeOrder?: MergeOrderOption | undefined;
}
