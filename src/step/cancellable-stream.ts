/**
 * A generator takes a `return()` only when it stands at a `yield`: while a `next()` is pending, it would wait for
 * the next event, which may be minutes away. Here the run is cancelled first, so that the event comes now.
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
      // Nobody is there any more to catch the error of a run that was left.
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
