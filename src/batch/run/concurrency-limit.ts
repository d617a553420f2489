/** Successes in a row, for each step that may run, before one more may. */
const SUCCESSES_TO_GROW = 2;

/**
 * How many steps may run at the same time. Halved when the API complains about the rate, grown again slowly: the
 * limit that it enforces is not known, only where it was hit.
 */
export class ConcurrencyLimit {
  readonly #most: number;
  readonly #freeLanes: number[] = [];
  #lanes = 0;
  #limit: number;
  #running = 0;
  #successes = 0;
  #halvedAtMs = Number.NEGATIVE_INFINITY;
  #pausedUntilMs = 0;

  constructor(most: number) {
    this.#most = most;
    this.#limit = most;
  }

  get limit(): number {
    return this.#limit;
  }

  get pausedUntilMs(): number {
    return this.#pausedUntilMs;
  }

  mayStart(nowMs: number): boolean {
    return this.#running < this.#limit && nowMs >= this.#pausedUntilMs;
  }

  /** The lane of the step. */
  start(): number {
    this.#running++;
    return this.#freeLanes.sort((a, b) => b - a).pop() ?? this.#lanes++;
  }

  end(lane: number): void {
    this.#running--;
    this.#freeLanes.push(lane);
  }

  /** True where one more may run from now on. */
  succeeded(): boolean {
    this.#successes++;
    if (this.#limit >= this.#most || this.#successes < this.#limit * SUCCESSES_TO_GROW)
      return false;
    this.#successes = 0;
    this.#limit++;
    return true;
  }

  /** Those that were under way when it was halved have nothing new to say. True where it was halved. */
  rateLimited(startedAtMs: number, nowMs: number): boolean {
    this.#successes = 0;
    if (startedAtMs < this.#halvedAtMs || this.#limit === 1) return false;
    this.#halvedAtMs = nowMs;
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
    return true;
  }

  /** True where that is later than what was known. */
  pauseUntil(ms: number): boolean {
    if (ms <= this.#pausedUntilMs) return false;
    this.#pausedUntilMs = ms;
    return true;
  }
}
