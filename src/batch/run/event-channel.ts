import { Alarm } from '../../base/process/alarm.js';

interface Listener<Event> {
  readonly queue: Event[];
  readonly alarm: Alarm;
}

/** Passes events to all present listeners, each with a queue of its own. Events without a listener are dropped. */
export class EventChannel<Event> implements AsyncIterable<Event> {
  readonly #listeners = new Set<Listener<Event>>();
  #isEnded = false;

  push(event: Event): void {
    for (const listener of this.#listeners) {
      listener.queue.push(event);
      listener.alarm.ring();
    }
  }

  end(): void {
    this.#isEnded = true;
    for (const { alarm } of this.#listeners) alarm.ring();
  }

  [Symbol.asyncIterator](): AsyncGenerator<Event, void> {
    const listener: Listener<Event> = { queue: [], alarm: new Alarm() };
    this.#listeners.add(listener);
    return this.#iterate(listener);
  }

  async *#iterate(listener: Listener<Event>): AsyncGenerator<Event, void> {
    try {
      for (;;) {
        yield* listener.queue.splice(0);
        if (listener.queue.length > 0) continue;
        if (this.#isEnded) return;
        await listener.alarm.wait();
        listener.alarm.reset();
      }
    } finally {
      this.#listeners.delete(listener);
    }
  }
}
