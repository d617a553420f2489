import type { BatchStop, StopReason } from '../../api/batch-report.js';
import type { CostEstimate } from '../../api/cost.js';
import type { ErrorCode, ProviderErrorData } from '../../api/error.js';
import { sumCosts } from '../../base/usage/add-costs.js';
import { describeCost, formatUsd } from '../../base/usage/describe-cost.js';
import type { ParsedLimits } from '../plan/plan-schema.js';
import type { AttemptSpending } from './attempt-cost.js';

/** Errors that every further step would meet too: no more steps are started. */
const STOP_CODES: Readonly<Partial<Record<ErrorCode, StopReason>>> = {
  QUOTA_EXHAUSTED: 'QUOTA_EXHAUSTED',
  AUTH: 'AUTH',
  UNTRUSTED_WORKSPACE: 'UNTRUSTED_WORKSPACE',
  CLI_NOT_FOUND: 'CLI_NOT_FOUND',
  CLI_CONFIG: 'CLI_CONFIG',
  SANDBOX: 'SANDBOX',
};

/** Counts tokens, cost, time, failures and retries of a run, and compares them with the limits of the batch. */
export class Budget {
  readonly #limits: ParsedLimits;
  readonly #startedMs: number;
  #tokens = 0;
  #cost: CostEstimate | undefined;
  #failures = 0;
  #retries = 0;

  constructor(limits: ParsedLimits, startedMs: number) {
    this.#limits = limits;
    this.#startedMs = startedMs;
  }

  spend({ tokens, cost }: AttemptSpending): void {
    this.#tokens += tokens;
    this.#cost = sumCosts([this.#cost, cost]);
  }

  /** Counts one retry. Returns false if the batch has no retries left. */
  takeRetry(): boolean {
    if (this.#retries >= (this.#limits.maxRetries ?? Number.POSITIVE_INFINITY)) return false;
    this.#retries++;
    return true;
  }

  /** Takes counted retries back. */
  giveBackRetries(count: number): void {
    this.#retries = Math.max(0, this.#retries - count);
  }

  /** Returns why no more steps may start; undefined if steps may start. */
  check(nowMs: number): BatchStop | undefined {
    const { maxTotalTokens = Number.POSITIVE_INFINITY, maxDuration = Number.POSITIVE_INFINITY } =
      this.#limits;
    if (this.#tokens >= maxTotalTokens) {
      const message = `The batch has used ${this.#tokens} tokens; maxTotalTokens is ${maxTotalTokens}`;
      return { reason: 'maxTotalTokens', message };
    }
    const costStop = this.#checkCost();
    if (costStop !== undefined) return costStop;
    if (nowMs - this.#startedMs >= maxDuration * 1000) {
      return {
        reason: 'maxDuration',
        message: `The batch has run for ${maxDuration} seconds (maxDuration)`,
      };
    }
    return undefined;
  }

  #checkCost(): BatchStop | undefined {
    const { maxCost } = this.#limits;
    if (maxCost === undefined || this.#cost === undefined) return undefined;
    if ((this.#cost.usd ?? 0) >= maxCost) {
      const message = `The batch has cost ${describeCost(this.#cost)}; maxCost is ${formatUsd(maxCost)}`;
      return { reason: 'maxCost', message };
    }
    const unknown = this.#cost.unknownModels.join(', ');
    if (unknown === '') return undefined;
    const message = `maxCost cannot be checked: no price of ${unknown}. Add it to prices`;
    return { reason: 'maxCost', message };
  }

  /** Time at which `maxDuration` is reached; infinite without that limit. */
  get endsAtMs(): number {
    return this.#startedMs + (this.#limits.maxDuration ?? Number.POSITIVE_INFINITY) * 1000;
  }

  /**
   * Counts a step that failed and is not retried. Returns why the batch has to stop now; undefined if it goes on. A step
   * with `continueOnError` does not count, and stops the batch only if no other step could succeed.
   */
  fail(stepId: string, error: ProviderErrorData, continueOnError = false): BatchStop | undefined {
    const reason = STOP_CODES[error.code];
    if (reason !== undefined) {
      // Messages of the API end in a period, those of this package do not.
      const message = `${error.message.replace(/[.\s]+$/, '')}. ${error.hint}`;
      return { reason, message, stepId };
    }
    if (continueOnError) return undefined;
    this.#failures++;
    if (this.#limits.failFast === true) {
      return {
        reason: 'failFast',
        message: `Step ${stepId} failed (failFast): ${error.message}`,
        stepId,
      };
    }
    const { maxFailures = Number.POSITIVE_INFINITY } = this.#limits;
    if (this.#failures < maxFailures) return undefined;
    const message = `${this.#failures} steps have failed; maxFailures is ${maxFailures}`;
    return { reason: 'maxFailures', message, stepId };
  }
}
