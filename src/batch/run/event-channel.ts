interface Listener<Event> {
  readonly queue: Event[];
  wake: (() => void) | undefined;
}

/** Hands events to whoever listens. Without a listener nothing is kept. */
export class EventChannel<Event> implements AsyncIterable<Event> {
  readonly #listeners = new Set<Listener<Event>>();
  #isEnded = false;

  push(event: Event): void {
    for (const listener of this.#listeners) {
      listener.queue.push(event);
      listener.wake?.();
    }
  }

  end(): void {
    this.#isEnded = true;
    for (const { wake } of this.#listeners) wake?.();
  }

  [Symbol.asyncIterator](): AsyncGenerator<Event, void> {
    const listener: Listener<Event> = { queue: [], wake: undefined };
    this.#listeners.add(listener);
    return this.#iterate(listener);
  }

  async *#iterate(listener: Listener<Event>): AsyncGenerator<Event, void> {
    try {
      for (;;) {
        yield* listener.queue.splice(0);
        if (listener.queue.length > 0) continue;
        if (this.#isEnded) return;
        await new Promise<void>((resolve) => {
          listener.wake = resolve;
        });
      }
    } finally {
      this.#listeners.delete(listener);
    }
  }
}
