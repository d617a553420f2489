const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/**
 * How long to wait before the next attempt: twice as long each time, with a part left to chance so that steps that
 * failed together do not come back together. Where the API has named a time, never less than that.
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
