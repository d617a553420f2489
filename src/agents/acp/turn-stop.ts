import { Deadlines, type Limits } from '../deadlines.js';
import type { StepStopReason } from '../verdict/verdict.js';

/** Stops a turn for the first reason that occurs: a timer, the signal of the caller, or a call of `stop()`. */
export class TurnStop {
  /** Resolves when the turn is to stop. */
  readonly stopped: Promise<void>;
  readonly #signal: AbortSignal;
  readonly #deadlines: Deadlines;
  readonly #onAbort = (): void => this.stop({ kind: 'cancelled' });
  #onStop: () => void = () => {};
  #reason: StepStopReason | undefined;
  #isOver = false;

  constructor(limits: Limits, signal: AbortSignal) {
    this.stopped = new Promise((resolve) => (this.#onStop = resolve));
    this.#deadlines = new Deadlines(limits, (phase, limitMs) => {
      this.stop({ kind: 'timeout', phase, limitMs });
    });
    this.#signal = signal;
    if (signal.aborted) this.#onAbort();
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  get reason(): StepStopReason | undefined {
    return this.#reason;
  }

  stop(reason: StepStopReason): void {
    if (this.#reason !== undefined || this.#isOver) return;
    this.#reason = reason;
    this.#deadlines.stop();
    this.#onStop();
  }

  /** Ends the start timer, because the agent is ready for the prompt. */
  started(): void {
    this.#deadlines.started();
    this.#deadlines.active();
  }

  /** Restarts the idle timer after an event. */
  active(): void {
    this.#deadlines.active();
  }

  /** Ends all timers, because the turn is over. Later reasons are ignored. */
  end(): void {
    this.#isOver = true;
    this.#deadlines.stop();
    this.#signal.removeEventListener('abort', this.#onAbort);
  }
}
