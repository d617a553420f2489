/** Successes in a row per allowed step after which the limit grows by one. */
const SUCCESSES_TO_GROW = 2;

/** Returns the limit after a rate limit. */
export function halveLimit(limit: number): number {
  return Math.max(1, Math.floor(limit / 2));
}

/** Returns the number of successes in a row after which the limit grows by one. */
export function successesToGrow(limit: number): number {
  return limit * SUCCESSES_TO_GROW;
}

/**
 * Limits how many steps run at the same time. The limit is halved when the API reports a rate limit and grows again
 * slowly after successes, because the rate that the API allows is not known in advance.
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
  /** True if one step at a time finds out whether the API answers again. */
  isProbing = false;

  constructor(most: number) {
    this.#most = most;
    this.#limit = most;
  }

  /** Limit without any rate limit. */
  get most(): number {
    return this.#most;
  }

  get limit(): number {
    return this.#limit;
  }

  get pausedUntilMs(): number {
    return this.#pausedUntilMs;
  }

  mayStart(nowMs: number): boolean {
    return this.#running < (this.isProbing ? 1 : this.#limit) && nowMs >= this.#pausedUntilMs;
  }

  /** Takes the lowest free lane for a step and returns its index. */
  start(): number {
    this.#running++;
    return this.#freeLanes.sort((a, b) => b - a).pop() ?? this.#lanes++;
  }

  end(lane: number): void {
    this.#running--;
    this.#freeLanes.push(lane);
  }

  /** Counts a successful step. Returns true if the limit grew by one. */
  succeeded(): boolean {
    this.#successes++;
    if (this.#limit >= this.#most || this.#successes < successesToGrow(this.#limit)) return false;
    this.#successes = 0;
    this.#limit++;
    return true;
  }

  /**
   * Halves the limit after a step met a rate limit. Returns true if the limit became smaller. A step that started
   * before the last halving does not count: it ran under the old limit.
   */
  rateLimited(startedAtMs: number, nowMs: number): boolean {
    this.#successes = 0;
    if (startedAtMs < this.#halvedAtMs || this.#limit === 1) return false;
    this.#halvedAtMs = nowMs;
    this.#limit = halveLimit(this.#limit);
    return true;
  }

  /** Starts no step before `ms`. Returns false if the present pause lasts as long or longer. */
  pauseUntil(ms: number): boolean {
    if (ms <= this.#pausedUntilMs) return false;
    this.#pausedUntilMs = ms;
    return true;
  }
}
