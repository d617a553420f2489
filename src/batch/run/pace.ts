import type { BatchEvent, PausedEvent } from '../../api/batch-event.js';
import type { ProviderError } from '../../base/errors/provider-error.js';
import type { BatchState } from './batch-state.js';
import type { ConcurrencyLimit } from './concurrency-limit.js';
import { type FailedAttempt, Outage } from './outage.js';

export interface PaceOptions {
  readonly limit: ConcurrencyLimit;
  readonly state: BatchState;
  readonly emit: (event: BatchEvent) => void;
  /** Gives a step retries back that it has used up before an outage was noticed. */
  readonly giveBack: (stepId: string, retries: number) => void;
  /** Gets each write to the ledger: the pace does not wait for the disk. */
  readonly watchWrite: (writing: Promise<void>) => void;
}

/**
 * Changes the concurrency limit after rate limits, outages and successes. Tells the listeners, and writes each change to the ledger:
 * another process that watches the batch sees why no step starts.
 */
export class Pace {
  readonly #options: PaceOptions;
  readonly #outage = new Outage();

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  /** Counts a successful step. */
  succeeded(): void {
    this.#outage.answered();
    this.#options.limit.isProbing = false;
    if (this.#options.limit.succeeded()) this.#tellLimit();
  }

  /**
   * Slows down after a failed attempt: after a rate limit, and if the API is down. Returns true if
   * the attempt uses up no retry of its step.
   */
  failed(error: ProviderError, attempt: Omit<FailedAttempt, 'code'>): boolean {
    const { limit } = this.#options;
    const { code, retryAfterMs } = error;
    const { startedMs } = attempt;
    const nowMs = performance.now();
    if (code === 'RATE_LIMITED' && limit.rateLimited(startedMs, nowMs)) this.#tellLimit();
    if (code === 'RATE_LIMITED' && retryAfterMs !== undefined) {
      this.#pause(nowMs, retryAfterMs, 'rate-limit');
    }
    const pause = this.#outage.failed({ ...attempt, code }, nowMs);
    limit.isProbing = this.#outage.isDown;
    if (pause === undefined) return false;
    for (const [earlier, retries] of pause.earlier ?? []) this.#options.giveBack(earlier, retries);
    if (pause.pauseMs > 0) this.#pause(nowMs, pause.pauseMs, 'outage');
    return pause.isFree && error.retryable;
  }

  #pause(nowMs: number, pauseMs: number, cause: PausedEvent['cause']): void {
    const { limit, emit } = this.#options;
    if (!limit.pauseUntil(nowMs + pauseMs)) return;
    const untilMs = Date.now() + pauseMs;
    emit({ type: 'paused', cause, untilMs });
    this.#write({ pausedUntil: new Date(untilMs).toISOString(), cause });
  }

  #tellLimit(): void {
    this.#options.emit({ type: 'concurrency', limit: this.#options.limit.limit });
    this.#write();
  }

  #write(pause?: { readonly pausedUntil: string; readonly cause: PausedEvent['cause'] }): void {
    const { limit, state, watchWrite } = this.#options;
    watchWrite(state.write({ type: 'pace', limit: limit.limit, most: limit.most, ...pause }));
  }
}
