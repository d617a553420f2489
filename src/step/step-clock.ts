import { failStopped } from '../agents/verdict/create-failure.js';
import type { Failure } from '../agents/verdict/verdict.js';
import { ProviderError } from '../base/errors/provider-error.js';
import { callOnAbort } from '../base/process/abort-listeners.js';
import { LONGEST_TIMER_MS } from '../base/process/longest-timer.js';
import { settlesWithin, unlessAborted } from '../base/process/timing.js';

/** Time after a timeout or cancel in which evidence, file changes and artifacts are still collected. */
const GRACE_MS = 1_000;

/** Timers of Node may end up to one millisecond early by the monotonic clock. A shorter rest counts as no time. */
const TIMER_PRECISION_MS = 1;

/**
 * Time of one step. `timeout` covers the preparation of the prompt and the workspace, and everything from the start of the
 * first turn on, but not the wait for a pool slot between the two. All times are of a monotonic clock.
 */
export class StepClock {
  readonly #timeoutMs: number;
  readonly #caller: AbortSignal | undefined;
  readonly #beganAtMs = performance.now();
  #preparationMs: number | undefined;
  #firstTurnAtMs: number | undefined;
  /** Time at which the step was stopped, by its caller or by a limit of a turn. */
  #stoppedAtMs = Number.POSITIVE_INFINITY;
  #lastTurnEndedAtMs = 0;

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs;
    this.#caller = caller;
    if (caller !== undefined) callOnAbort(caller, () => this.#stop());
  }

  /** Milliseconds that count for `timeout`. */
  get spentMs(): number {
    const now = performance.now();
    const turnsMs = this.#firstTurnAtMs === undefined ? 0 : now - this.#firstTurnAtMs;
    return (this.#preparationMs ?? now - this.#beganAtMs) + turnsMs;
  }

  /** Notes the end of a turn. After a stopped turn only the grace time is left. */
  turnEnded(startedAtMs: number, isStopped: boolean): void {
    this.#firstTurnAtMs ??= startedAtMs;
    this.#lastTurnEndedAtMs = performance.now();
    if (isStopped) this.#stop();
  }

  /** Runs the work before the first turn. Throws TIMEOUT at the limit, or the reason of the caller's signal. */
  async prepare<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const prepared = await this.#run(work, 0);
    this.#preparationMs = performance.now() - this.#beganAtMs;
    return prepared;
  }

  /** Runs work between two turns, with what is left of the time. Throws as `prepare` does. */
  check<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#run(work, 0);
  }

  /**
   * Runs work that belongs to the result also after a stop. Its signal is aborted at the end of the grace time, and the
   * work then returns what it has.
   */
  async conclude<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = this.#arm(GRACE_MS);
    try {
      return await work(limit.signal);
    } finally {
      limit.release();
    }
  }

  /** Returns the failure of a step that was stopped while its result was put together. */
  get failure(): Failure {
    if (this.#caller?.aborted) return failStopped({ kind: 'cancelled' });
    return failStopped({ kind: 'timeout', phase: 'total', limitMs: this.#timeoutMs });
  }

  async #run<T>(work: (signal: AbortSignal) => Promise<T>, graceMs: number): Promise<T> {
    const limit = this.#arm(graceMs);
    const running = work(limit.signal);
    try {
      return await unlessAborted(running, limit.signal);
    } catch (error) {
      if (!limit.signal.aborted) throw error;
      // The work is ending its commands. What hangs longer than that is left behind.
      await settlesWithin(running, GRACE_MS);
      if (this.#caller?.aborted) throw this.#caller.reason;
      throw new ProviderError({ ...this.failure, cause: error });
    } finally {
      limit.release();
    }
  }

  #stop(): void {
    this.#stoppedAtMs = Math.min(this.#stoppedAtMs, performance.now());
  }

  /** Starts a timer for the rest of the time. The caller's abort shortens it. */
  #arm(graceMs: number): { readonly signal: AbortSignal; release(): void } {
    const controller = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const set = (): void => {
      clearTimeout(timer);
      const now = performance.now();
      const limitAtMs = Math.min(now + this.#timeoutMs - this.spentMs, this.#stoppedAtMs);
      const endAtMs = Math.max(limitAtMs, graceMs === 0 ? 0 : this.#lastTurnEndedAtMs) + graceMs;
      if (endAtMs - now < TIMER_PRECISION_MS) controller.abort(this.#caller?.reason);
      // A timer counts from the beginning of the tick in which it is set: it may end before its time.
      else timer = setTimeout(set, Math.min(endAtMs - now, LONGEST_TIMER_MS));
    };
    set();
    const forget = this.#caller === undefined ? undefined : callOnAbort(this.#caller, set);
    return {
      signal: controller.signal,
      release: () => {
        clearTimeout(timer);
        forget?.();
      },
    };
  }
}
