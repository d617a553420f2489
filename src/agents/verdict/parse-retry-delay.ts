const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const DURATION = /(\d+(?:\.\d+)?)(ms|s|m|h)/g;
/** A delay in words or as JSON, which may be a string inside of other JSON. */
const NAMED_DELAY =
  /(?:retry in|retry after|reset after|retryDelay)[\s:"\\]*((?:\d+(?:\.\d+)?(?:ms|[hms]))+)/i;

/** Parses a delay as the API writes it: `2s`, `1.5s`, `850ms`, `1h2m3s`. */
export function parseDurationMs(text: string): number | undefined {
  const parts = [...text.matchAll(DURATION)];
  if (parts.length === 0) return undefined;
  const ms = parts.reduce((sum, [, amount, unit]) => {
    return sum + Number(amount) * (UNIT_MS[unit ?? ''] ?? 0);
  }, 0);
  return Math.round(ms);
}

/** Id of a quota that is renewed each minute, such as `GenerateRequestsPerMinutePerProjectPerModel`. */
const MINUTE_QUOTA = /\w*PerMinute\w*/;
const MINUTE_MS = 60_000;

/** Finds the delay that an API answer asks for, as `RetryInfo`, in words, or as the id of a quota per minute. */
export function findRetryDelayMs(message: string): number | undefined {
  const named = NAMED_DELAY.exec(message)?.[1];
  if (named !== undefined) return parseDurationMs(named);
  return MINUTE_QUOTA.test(message) ? MINUTE_MS : undefined;
}
