import type { PlannedStep } from '../../api/batch-plan.js';
import type { ErrorCode } from '../../api/error.js';
import type { ProviderError } from '../../base/errors/provider-error.js';
import { backoffMs } from './backoff.js';
import type { Budget } from './budget.js';

/** Errors after which another model may succeed with the same step. */
const OTHER_MODEL_MAY_HELP: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'MODEL_NOT_FOUND',
  'RATE_LIMITED',
  'QUOTA_EXHAUSTED',
  'API_UNAVAILABLE',
  'EMPTY_RESPONSE',
  'CONTEXT_OVERFLOW',
  'LOOP_DETECTED',
]);

/** The next attempt of a failed step. */
export interface NextAttempt {
  readonly delayMs: number;
  /** Fallback model, if the attempt is the first one with it. */
  readonly model?: string | undefined;
}

interface Tries {
  /** Failed attempts with the present model. */
  failures: number;
  /** Number of fallback models that are in use or used up. */
  fallbacks: number;
}

/** Decides whether a failed step is tried again, and with which model. Counts within one run of the batch. */
export class AttemptPolicy {
  readonly #budget: Budget;
  readonly #tries = new Map<string, Tries>();

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Fallback model of the next attempt of a step. Undefined for the model of the step itself. */
  modelOf({ id, fallbackModels = [] }: PlannedStep): string | undefined {
    const { fallbacks } = this.#tries.get(id) ?? { fallbacks: 0 };
    return fallbackModels[fallbacks - 1];
  }

  /** True if one more failure leaves a step a retry with the present model. */
  hasRetry({ id, retries }: PlannedStep): boolean {
    return (this.#tries.get(id)?.failures ?? 0) < retries;
  }

  /** Returns the next attempt after a failure that does not count, because the API was down. */
  again(): NextAttempt {
    return { delayMs: backoffMs(1, undefined, Math.random) };
  }

  /** Takes failures back that do not count, because the API was down and this was not known yet. */
  giveBack(stepId: string, retries: number): void {
    const tries = this.#tries.get(stepId);
    if (tries === undefined) return;
    const given = Math.min(tries.failures, retries);
    tries.failures -= given;
    this.#budget.giveBackRetries(given);
  }

  /** Counts a failure. Returns the next attempt, or undefined if the step has failed. */
  next(step: PlannedStep, error: ProviderError): NextAttempt | undefined {
    const { id, retries, fallbackModels = [] } = step;
    const tries = this.#tries.get(id) ?? { failures: 0, fallbacks: 0 };
    this.#tries.set(id, tries);
    tries.failures++;
    if (error.retryable && tries.failures <= retries && this.#budget.takeRetry()) {
      return { delayMs: backoffMs(tries.failures, error.retryAfterMs, Math.random) };
    }
    const model = fallbackModels[tries.fallbacks];
    if (model === undefined || !OTHER_MODEL_MAY_HELP.has(error.code)) return undefined;
    tries.fallbacks++;
    tries.failures = 0;
    return { delayMs: 0, model };
  }
}
