/** Longest delay of a timer. Node fires a timer with a longer delay at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Longest delay in whole seconds, for options. */
export const LONGEST_TIMER_SECONDS = Math.floor(LONGEST_TIMER_MS / 1000);
