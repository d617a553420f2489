import { setImmediate as nextTurnOfEventLoop } from 'node:timers/promises';

/** About ten milliseconds, in units of one character or one file name read. */
const DEFAULT_WORK = 500_000;

export interface YieldOptions {
  /** How much work is done between two yields. Default: about ten milliseconds of text search. */
  readonly every?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Splits long synchronous work into parts: timers, I/O and signals are served between two parts. */
export interface EventLoopYield {
  readonly signal: AbortSignal | undefined;
  /** Counts work that was done, and lets the event loop run after each `every` units. Throws after an abort. */
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
        await nextTurnOfEventLoop();
      }
      signal?.throwIfAborted();
    },
  };
}
