/** Difference between the two clocks from which the wall clock counts as set back. */
const TOLERANCE_MS = 1_000;

/** A moment by the wall clock, for comparisons with time stamps of files and of other programs. */
export class WallClockMark {
  readonly #wallMs = Date.now();
  readonly #monotonicMs = performance.now();

  /**
   * Time stamp of the moment. If the wall clock was set back since, the time stamp is as much earlier, so that no time stamp
   * from after the moment is below it.
   */
  get sinceMs(): number {
    return this.wasSetBack ? this.#wallMs - this.#setBackMs : this.#wallMs;
  }

  /** True if the wall clock was set back since. Time stamps from before the moment may then be above `sinceMs`. */
  get wasSetBack(): boolean {
    return this.#setBackMs > TOLERANCE_MS;
  }

  get #setBackMs(): number {
    return this.#wallMs + performance.now() - this.#monotonicMs - Date.now();
  }
}
