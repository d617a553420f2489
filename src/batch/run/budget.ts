import type { BatchLimits } from '../../api/batch-plan.js';
import type { BatchStop } from '../../api/batch-report.js';
import type { ProviderErrorData } from '../../api/error.js';

/** What a batch has used up, and whether that is enough. */
export class Budget {
  readonly #limits: BatchLimits;
  readonly #startedMs: number;
  #tokens = 0;
  #failures = 0;
  #retries = 0;

  constructor(limits: BatchLimits, startedMs: number) {
    this.#limits = limits;
    this.#startedMs = startedMs;
  }

  spend(tokens: number): void {
    this.#tokens += tokens;
  }

  /** False where all retries of the batch are used up. */
  takeRetry(): boolean {
    if (this.#retries >= (this.#limits.maxRetries ?? Number.POSITIVE_INFINITY)) return false;
    this.#retries++;
    return true;
  }

  /** Why no more steps may be started; undefined where they may. */
  check(nowMs: number): BatchStop | undefined {
    const { maxTotalTokens = Number.POSITIVE_INFINITY, maxDuration = Number.POSITIVE_INFINITY } =
      this.#limits;
    if (this.#tokens >= maxTotalTokens) {
      const message = `${this.#tokens} tokens are used, the limit is ${maxTotalTokens}`;
      return { reason: 'maxTotalTokens', message };
    }
    if (nowMs - this.#startedMs >= maxDuration * 1000) {
      return { reason: 'maxDuration', message: `${maxDuration} seconds are over` };
    }
    return undefined;
  }

  /** When the time will be over, if there is a limit. */
  get endsAtMs(): number {
    return this.#startedMs + (this.#limits.maxDuration ?? Number.POSITIVE_INFINITY) * 1000;
  }

  /** A step has failed for good. */
  fail(stepId: string, error: ProviderErrorData): BatchStop | undefined {
    this.#failures++;
    if (error.code === 'QUOTA_EXHAUSTED' || error.code === 'AUTH') {
      return { reason: error.code, message: `${error.message}. ${error.hint}`, stepId };
    }
    if (this.#limits.failFast === true) {
      return { reason: 'failFast', message: `${stepId} failed: ${error.message}`, stepId };
    }
    const { maxFailures = Number.POSITIVE_INFINITY } = this.#limits;
    if (this.#failures < maxFailures) return undefined;
    const message = `${this.#failures} steps have failed, the limit is ${maxFailures}`;
    return { reason: 'maxFailures', message, stepId };
  }
}
