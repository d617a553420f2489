import { setImmediate as nextTurn } from 'node:timers/promises';
import { ProviderError } from '../errors/provider-error.js';

/** About ten milliseconds, in units of one character or one file name looked at. */
const WORK_PER_TURN = 500_000;

/** Keeps long work from blocking the process: clocks and signals are heard between its turns. */
export interface Pace {
  /** Counts work that was done; gives the event loop a turn when it has become much. */
  spend(work: number): Promise<void>;
  /** Throws where the caller has cancelled. */
  check(): void;
}

export function createPace(signal?: AbortSignal): Pace {
  let spent = 0;
  const check = (): void => {
    if (signal?.aborted !== true) return;
    throw new ProviderError({
      code: 'CANCELLED',
      message: 'The caller cancelled the run while its prompt was prepared',
      cause: signal.reason,
    });
  };
  return {
    check,
    spend: async (work) => {
      spent += work;
      if (spent < WORK_PER_TURN) return;
      spent = 0;
      await nextTurn();
      check();
    },
  };
}
