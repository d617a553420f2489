import type { TimeoutPhase } from '../api/error.js';

export interface Limits {
  readonly timeoutMs: number;
  readonly startTimeoutMs: number;
  readonly idleTimeoutMs: number | undefined;
  /** How much of the whole is gone already, where this is not the first turn. */
  readonly spentMs?: number | undefined;
}

/** The three clocks of a run. The first that runs out is reported, once. */
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

  /** The CLI has reported for duty. */
  started(): void {
    clearTimeout(this.#timers.get('start'));
  }

  /** There was output. */
  active(): void {
    if (this.#limits.idleTimeoutMs !== undefined) this.#set('idle', this.#limits.idleTimeoutMs);
  }

  /** For good: output that is still on its way winds up nothing again. */
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
