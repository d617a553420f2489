/** Hands events to whoever listens. Without a listener nothing is kept. */
export class EventChannel<Event> implements AsyncIterable<Event> {
  #queue: Event[] | undefined;
  #wake: (() => void) | undefined;
  #isEnded = false;

  push(event: Event): void {
    this.#queue?.push(event);
    this.#wake?.();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake?.();
  }

  [Symbol.asyncIterator](): AsyncGenerator<Event, void> {
    const queue: Event[] = [];
    this.#queue = queue;
    return this.#iterate(queue);
  }

  async *#iterate(queue: Event[]): AsyncGenerator<Event, void> {
    try {
      for (;;) {
        yield* queue.splice(0);
        if (queue.length > 0) continue;
        if (this.#isEnded) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      if (this.#queue === queue) this.#queue = undefined;
    }
  }
}
