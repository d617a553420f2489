import type { BatchEvent } from '../../api/batch-event.js';
import type { BatchObserver } from '../../api/batch-observer.js';
import type { ContextKeys, ResponseProvider } from '../../api/response-provider.js';

/** The observer of a batch. None of these functions throws: an observer cannot fail a batch. */
export interface Observing {
  readonly accept: (event: BatchEvent) => void;
  readonly contextOf: (stepId: string) => ContextKeys;
  readonly wrap: (provider: ResponseProvider) => ResponseProvider;
  /** Tells the observer the end, once. */
  readonly end: (error?: unknown) => void;
}

/** Calls the functions of an observer, and ignores what they throw. */
export function createObserving(observer: BatchObserver | undefined): Observing {
  let isOver = false;
  return {
    accept: (event) => void ignoring(() => observer?.onEvent(event)),
    contextOf: (stepId) => {
      const traceparent = ignoring(() => observer?.contextOf?.(stepId)?.traceparent);
      return traceparent === undefined ? {} : { traceparent };
    },
    wrap: (provider) => ignoring(() => observer?.wrap?.(provider)) ?? provider,
    end: (error) => {
      if (!isOver) ignoring(() => observer?.onEnd?.(error));
      isOver = true;
    },
  };
}

function ignoring<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
