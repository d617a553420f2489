import { setTimeout as delay } from 'node:timers/promises';
import pTimeout from 'p-timeout';

export function sleep(ms: number): Promise<void> {
  return delay(ms);
}

/** Sleeps, but not longer than until the signal. */
export async function sleepUnless(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await delay(ms, undefined, { signal }).catch(() => {});
}

/** Waits for a promise, but no longer than this; true where it was settled in time. */
export async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const settled = promise.then(
    () => true,
    () => true,
  );
  return pTimeout(settled, { milliseconds: ms, fallback: () => false });
}

/** A wait that somebody else may cut short. Leaves nothing behind, however often it is used. */
export class Alarm {
  #wake: (() => void) | undefined;
  #rung = false;

  /** Ends the present wait, and all later ones at once. */
  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  async wait(ms: number): Promise<void> {
    if (this.#rung) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }
}

/** What a function gives, or undefined where it fails or takes longer than this. */
export async function answersWithin<T>(ask: () => Promise<T>, ms: number): Promise<T | undefined> {
  return pTimeout(
    ask().catch(() => undefined),
    { milliseconds: ms, fallback: () => undefined },
  );
}
