import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Work of about ten milliseconds. One unit is one character or one file name. */
const DEFAULT_WORK = 500_000;

export interface YieldOptions {
  /** Units of work between two yields. Default: about ten milliseconds of text search. */
  readonly every?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Splits long synchronous work into parts: timers, I/O and signals are served between two parts. */
export interface EventLoopYield {
  readonly signal: AbortSignal | undefined;
  /** Counts finished work and lets the event loop run after each `every` units. Throws after an abort. */
  spend(work: number): Promise<void>;
}

export function createEventLoopYield({
  every = DEFAULT_WORK,
  signal,
}: YieldOptions = {}): EventLoopYield {
  let spent = 0;
  return {
    signal,
    spend: async (work) => {
      spent += work;
      if (spent >= every) {
        spent = 0;
        await yieldToEventLoop();
      }
      signal?.throwIfAborted();
    },
  };
}
