import type { ErrorCode } from '../../api/error.js';

/** Errors of an API or a network that is down. */
const DOWN: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['NETWORK', 'API_UNAVAILABLE']);
/** Errors that say nothing about the API. */
const SILENT: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['TIMEOUT', 'CANCELLED']);
/** Failed attempts in a row, and different steps among them, from which on the API counts as down. */
const LEAST_FAILURES = 6;
const LEAST_STEPS = 3;
/** Different steps that are enough if one of them would fail for good. */
const LEAST_STEPS_AT_LAST = 2;
const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 300_000;
/** Pauses in a row whose attempts use up no retry: about two hours. */
const MOST_FREE = 26;

/** A failed attempt of a step. */
export interface FailedAttempt {
  readonly stepId: string;
  readonly code: ErrorCode;
  readonly startedMs: number;
  /** True if the step has no retry left, so that it fails for good unless the API is down. */
  readonly isLast: boolean;
}

/** What follows from a failed attempt while the API is down. */
export interface OutagePause {
  readonly pauseMs: number;
  /** True if the attempt uses up no retry of its step. */
  readonly isFree: boolean;
  /**
   * Failed attempts by step before this one, if the outage is noticed by it: they use up no retries either. Absent in an
   * outage that is known.
   */
  readonly earlier?: ReadonlyMap<string, number> | undefined;
}

/**
 * Notices that the API or the network is down: attempts of several steps fail in a row, and the API answers none. Without
 * pauses, an outage of a few minutes would make all remaining steps of a batch fail. An API that has never answered in this run
 * is no outage: there is no network, and the batch has to say so at once.
 */
export class Outage {
  /** Failed attempts in a row, by step. */
  readonly #steps = new Map<string, number>();
  #hasAnswered = false;
  #failures = 0;
  #pauses = 0;
  #pausedAtMs = Number.NEGATIVE_INFINITY;

  get isDown(): boolean {
    return this.#pauses > 0;
  }

  /** Notes that the API has answered. */
  answered(): void {
    this.#hasAnswered = true;
    this.#steps.clear();
    this.#failures = 0;
    this.#pauses = 0;
  }

  /**
   * Counts a failed attempt. Returns the pause before the next attempt, which is longer each time;
   * undefined if the API is not down. An attempt that began before the last pause causes none, and is free as well.
   * The last attempt of a step does not wait for further failures: the step would be lost before they come.
   */
  failed(attempt: FailedAttempt, nowMs: number): OutagePause | undefined {
    const { stepId, code, startedMs, isLast } = attempt;
    if (!DOWN.has(code)) {
      if (!SILENT.has(code)) this.answered();
      return undefined;
    }
    if (!this.#hasAnswered) return undefined;
    const earlier = new Map(this.#steps);
    this.#steps.set(stepId, (earlier.get(stepId) ?? 0) + 1);
    this.#failures++;
    if (this.isDown && startedMs < this.#pausedAtMs) return { pauseMs: 0, isFree: true };
    const isEnough = isLast
      ? this.#steps.size >= LEAST_STEPS_AT_LAST
      : this.#failures >= LEAST_FAILURES && this.#steps.size >= LEAST_STEPS;
    if (!isEnough) return undefined;
    const isNew = !this.isDown;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#pauses);
    this.#pauses++;
    this.#pausedAtMs = nowMs;
    return { pauseMs, isFree: this.#pauses <= MOST_FREE, ...(isNew && { earlier }) };
  }
}
