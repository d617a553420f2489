/** Sleeps until somebody rings or a time has come. */
export class WakeUp {
  #ring: (() => void) | undefined;
  #isRung = false;

  ring(): void {
    this.#isRung = true;
    this.#ring?.();
  }

  async sleepUntil(timeMs: number): Promise<void> {
    if (!this.#isRung) {
      await new Promise<void>((resolve) => {
        const ms = Math.min(Math.max(0, timeMs - Date.now()), LONGEST_TIMER_MS);
        const timer = Number.isFinite(timeMs) ? setTimeout(resolve, ms) : undefined;
        this.#ring = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#ring = undefined;
    this.#isRung = false;
  }
}

/** A longer one would ring at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
