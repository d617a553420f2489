import type { EventEmitter } from 'node:events';
import type { BullEvents, BullWorker } from './queue-store.js';

type Emitting<T> = Omit<T, 'events'> & EventEmitter;

/** Gives the events of a queue the same type for both stores. Their errors are those of the connection. */
export function wrapEvents(source: Emitting<BullEvents>): BullEvents {
  const events = prepare(source);
  return {
    events,
    waitUntilReady: () => source.waitUntilReady(),
    close: () => source.close(),
  };
}

/** Gives a worker the same type for both stores. */
export function wrapWorker(source: Emitting<BullWorker>): BullWorker {
  const events = prepare(source);
  return {
    name: source.name,
    events,
    get concurrency() {
      return source.concurrency;
    },
    set concurrency(count) {
      source.concurrency = count;
    },
    cancelJob: (id, reason) => source.cancelJob(id, reason),
    pause: (doNotWaitActive) => source.pause(doNotWaitActive),
    resume: () => source.resume(),
    waitUntilReady: () => source.waitUntilReady(),
    close: (force) => source.close(force),
  };
}

function prepare(source: EventEmitter): EventEmitter {
  source.setMaxListeners(0);
  // Without a listener, an error would end the process.
  source.on('error', () => {});
  return source;
}
