import { Deadlines, type Limits } from '../deadlines.js';
import type { StepStopReason } from '../verdict/verdict.js';

/** Everything by which we stop a turn: its clocks, the caller's signal, and reasons of the turn. The first one counts. */
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

  /** The agent is ready for the prompt: the start timer ends. */
  started(): void {
    this.#deadlines.started();
    this.#deadlines.active();
  }

  /** There was an event: the idle timer begins anew. */
  active(): void {
    this.#deadlines.active();
  }

  /** The turn is over: nothing stops it any more. */
  end(): void {
    this.#isOver = true;
    this.#deadlines.stop();
    this.#signal.removeEventListener('abort', this.#onAbort);
  }
}
