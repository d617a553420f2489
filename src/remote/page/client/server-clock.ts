/**
 * The clock of the server. The clock of a phone may be wrong, so the page tells the age of things by the time that the server has sent,
 * and by the time that has passed since then. Each new stream sets the clock.
 */
export class ServerClock {
  #offsetMs: number | undefined;
  readonly #passedMs: () => number;

  /** @param passedMs clock that only counts */
  constructor(passedMs: () => number = () => performance.now()) {
    this.#passedMs = passedMs;
  }

  /** @param now time of the server, ISO 8601 */
  set(now: string): void {
    const ms = Date.parse(now);
    if (!Number.isNaN(ms)) this.#offsetMs = ms - this.#passedMs();
  }

  /** Returns the time of the server. Undefined before the server has sent one. */
  nowMs(): number | undefined {
    return this.#offsetMs === undefined ? undefined : this.#offsetMs + this.#passedMs();
  }
}
