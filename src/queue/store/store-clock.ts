/** Time between two comparisons of the clocks. */
const COMPARE_MS = 60_000;
/** Smallest difference of the clocks that users are told. */
const REMARKABLE_MS = 2_000;

/**
 * The clock of the store, as this process knows it. Machines whose clocks differ agree on the times that are written to the store
 * by it: when a job was made, until when it may wait, which blobs are over.
 */
export class StoreClock {
  readonly #read: () => Promise<number>;
  #offsetMs = 0;
  #comparedAtMs = 0;

  /** `read` asks the store for its time in milliseconds since 1970. */
  constructor(read: () => Promise<number>) {
    this.#read = read;
  }

  /** How far the clock of the store is ahead of that of this machine, in milliseconds. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  /**
   * Compares the clocks. The answer is taken to be half as old as the request. A slow answer that fits the known difference
   * changes nothing: over a stalled network, it may be seconds old.
   */
  async compare(): Promise<void> {
    this.#comparedAtMs = performance.now();
    const askedAtMs = Date.now();
    const storeMs = await this.#read();
    const uncertainMs = (Date.now() - askedAtMs) / 2;
    const offsetMs = storeMs - (askedAtMs + uncertainMs);
    if (Math.abs(offsetMs - this.#offsetMs) > uncertainMs) this.#offsetMs = offsetMs;
  }

  /** Returns the time of the store in milliseconds since 1970. The clocks are compared again from time to time. */
  now(): number {
    if (performance.now() - this.#comparedAtMs > COMPARE_MS) void this.compare().catch(() => {});
    return Math.round(Date.now() + this.#offsetMs);
  }

  /** Describes a difference of the clocks that users should know of. Undefined if there is none. */
  describe(): string | undefined {
    if (Math.abs(this.#offsetMs) < REMARKABLE_MS) return undefined;
    const seconds = (Math.abs(this.#offsetMs) / 1_000).toFixed(0);
    const side = this.#offsetMs > 0 ? 'behind' : 'ahead of';
    return `The clock of this machine is ${seconds} s ${side} that of the store: synchronise both with NTP`;
  }
}
