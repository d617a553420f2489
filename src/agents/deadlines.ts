import type { TimeoutPhase } from '../api/error.js';

export interface Limits {
  readonly timeoutMs: number;
  readonly startTimeoutMs: number;
  readonly idleTimeoutMs: number | undefined;
  /** Part of `timeoutMs` that earlier turns of the step have used. */
  readonly spentMs?: number | undefined;
}

/** Holds the three timers of a turn (total, start, idle). Reports the first one that expires, once. */
export class Deadlines {
  readonly #timers = new Map<TimeoutPhase, NodeJS.Timeout>();
  readonly #limits: Limits;
  #hasStopped = false;
  readonly #onExpiry: (phase: TimeoutPhase, limitMs: number) => void;

  constructor(limits: Limits, onExpiry: (phase: TimeoutPhase, limitMs: number) => void) {
    this.#limits = limits;
    this.#onExpiry = onExpiry;
    this.#set('total', limits.timeoutMs, limits.spentMs);
    this.#set('start', limits.startTimeoutMs);
    this.active();
  }

  /** Stops the start timer: the agent has sent its first event. */
  started(): void {
    clearTimeout(this.#timers.get('start'));
  }

  /** Restarts the idle timer: the agent has printed something. */
  active(): void {
    if (this.#limits.idleTimeoutMs !== undefined) this.#set('idle', this.#limits.idleTimeoutMs);
  }

  /** Stops all timers permanently; later calls to `active()` do not restart the idle timer. */
  stop(): void {
    this.#hasStopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  #set(phase: TimeoutPhase, limitMs: number, spentMs = 0): void {
    clearTimeout(this.#timers.get(phase));
    if (this.#hasStopped) return;
    const expire = (): void => {
      this.stop();
      this.#onExpiry(phase, limitMs);
    };
    this.#timers.set(phase, setTimeout(expire, Math.max(0, limitMs - spentMs)));
  }
}
