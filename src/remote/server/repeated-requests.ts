/** Time for which an answer is kept. A device repeats a request within seconds. */
const KEPT_MS = 10 * 60_000;
const MOST_ANSWERS = 1_000;

/** Answer to a request: the status and the body. */
export interface RequestAnswer {
  readonly status: number;
  readonly body: object;
}

/**
 * Answers of requests that devices may repeat. A phone that loses its line does not know whether its request arrived: it sends
 * the request again with the same key, and gets the answer of the first one. The action runs once.
 */
export class RepeatedRequests {
  readonly #answers = new Map<
    string,
    { readonly answer: Promise<RequestAnswer>; readonly atMs: number }
  >();

  /** Runs the action, or returns the answer of the same request before. Without a key the action always runs. */
  run(key: string | undefined, act: () => Promise<RequestAnswer>): Promise<RequestAnswer> {
    if (key === undefined) return act();
    this.#forgetOld();
    const known = this.#answers.get(key);
    if (known !== undefined) return known.answer;
    const answer = act();
    this.#answers.set(key, { answer, atMs: performance.now() });
    // A request that ended in an error of the server may be tried again.
    answer.catch(() => this.#answers.delete(key));
    return answer;
  }

  #forgetOld(): void {
    const since = performance.now() - KEPT_MS;
    // The map is in the order of time.
    for (const [key, { atMs }] of this.#answers) {
      if (atMs >= since && this.#answers.size < MOST_ANSWERS) return;
      this.#answers.delete(key);
    }
  }
}
