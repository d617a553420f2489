/** Node fires a timer at once if its delay is longer than this. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The same limit for options, which give whole seconds. */
export const LONGEST_TIMER_SECONDS = Math.floor(LONGEST_TIMER_MS / 1000);
