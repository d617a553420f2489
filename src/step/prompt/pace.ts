import { setImmediate as nextTurn } from 'node:timers/promises';

/** About ten milliseconds, in units of one character or one file name looked at. */
const WORK_PER_TURN = 500_000;

/** Keeps long work from blocking the process: clocks and signals are heard between its turns. */
export interface Pace {
  readonly signal: AbortSignal | undefined;
  /** Counts work that was done; gives the event loop a turn when it has become much. Throws after an abort. */
  spend(work: number): Promise<void>;
}

export function createPace(signal?: AbortSignal): Pace {
  let spent = 0;
  return {
    signal,
    spend: async (work) => {
      spent += work;
      if (spent >= WORK_PER_TURN) {
        spent = 0;
        await nextTurn();
      }
      signal?.throwIfAborted();
    },
  };
}
