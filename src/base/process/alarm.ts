import { LONGEST_TIMER_MS } from './longest-timer.js';

/**
 * A wait that another function can end early. Each wait removes its timer and its listener, so that one alarm can be
 * used many times. A second wait at the same time throws an error.
 */
export class Alarm {
  #wake: (() => void) | undefined;
  #isRung = false;

  get isRung(): boolean {
    return this.#isRung;
  }

  /** Ends the current wait. Until `reset()`, every later wait ends at once. */
  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  reset(): void {
    this.#isRung = false;
  }

  /** Waits until the time is over, the alarm rings or the signal is aborted. Without a time: for ring or abort. */
  async wait(ms: number = Number.POSITIVE_INFINITY, signal?: AbortSignal): Promise<void> {
    if (this.#isRung || signal?.aborted) return;
    if (this.#wake !== undefined) throw new Error('The alarm is already waited for');
    await new Promise<void>((resolve) => {
      const timer = Number.isFinite(ms)
        ? setTimeout(() => this.#wake?.(), Math.min(ms, LONGEST_TIMER_MS))
        : undefined;
      this.#wake = () => {
        this.#wake = undefined;
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      const onAbort = (): void => this.#wake?.();
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }
}
