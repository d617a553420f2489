const MOST_STARTS = 1_000;

/** Sessions by the id of the request that started them: a request that is repeated starts one session. */
export class RepeatedStarts {
  readonly #starts = new Map<string, Promise<string>>();

  /** Takes over a start of an earlier run of the server. */
  restore(startId: string | undefined, sessionId: string): void {
    if (startId !== undefined) this.#keep(startId, Promise.resolve(sessionId));
  }

  /** Starts a session, or returns the id of the one that the same request has started. */
  run(startId: string, start: () => Promise<string>): Promise<string> {
    const known = this.#starts.get(startId);
    if (known !== undefined) return known;
    const starting = start();
    this.#keep(startId, starting);
    // A start that was refused may be tried again with the same id.
    starting.catch(() => this.#starts.delete(startId));
    return starting;
  }

  #keep(startId: string, starting: Promise<string>): void {
    this.#starts.set(startId, starting);
    const [oldest] = this.#starts.keys();
    if (this.#starts.size > MOST_STARTS && oldest !== undefined) this.#starts.delete(oldest);
  }
}
