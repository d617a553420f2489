/**
 * Stream of events whose `return()` cancels the step first. A plain generator handles `return()` only at a `yield`:
 * while a `next()` is pending, the call would wait for the next event, which may be minutes away.
 */
export class CancellableStream<T> implements AsyncGenerator<T, void> {
  readonly #events: AsyncGenerator<T, void>;
  readonly #cancel: () => void;
  #hasLeft = false;

  constructor(events: AsyncGenerator<T, void>, cancel: () => void) {
    this.#events = events;
    this.#cancel = cancel;
  }

  async next(): Promise<IteratorResult<T, void>> {
    try {
      return await this.#events.next();
    } catch (error) {
      // The caller has left the loop, so an error of the cancelled step would reach no handler.
      if (this.#hasLeft) return { done: true, value: undefined };
      throw error;
    }
  }

  return(): Promise<IteratorResult<T, void>> {
    this.#leave();
    return this.#events.return();
  }

  throw(error: unknown): Promise<IteratorResult<T, void>> {
    this.#leave();
    return this.#events.throw(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  #leave(): void {
    this.#hasLeft = true;
    this.#cancel();
  }
}
