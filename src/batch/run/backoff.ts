const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/**
 * Returns the delay before the next attempt in milliseconds. The delay doubles with each failure. Half of it is
 * random, so that steps that failed together do not start again together. The delay is never shorter than
 * `retryAfterMs`, which the API asked for.
 */
export function backoffMs(
  failedAttempts: number,
  retryAfterMs: number | undefined,
  random: () => number,
): number {
  const grown = Math.min(LONGEST_MS, FIRST_MS * 2 ** (failedAttempts - 1));
  const jittered = grown / 2 + (grown / 2) * random();
  return Math.round(Math.max(jittered, (retryAfterMs ?? 0) + (FIRST_MS / 2) * random()));
}
