import type { Duration } from '../../api/duration.js';

/** Seconds of each unit. */
const UNITS: Readonly<Record<string, number>> = { d: 86_400, h: 3_600, m: 60, s: 1, ms: 0.001 };
/** Form of a duration: units from the largest to the smallest, each once. */
export const DURATION_FORM =
  /^(?=[\d.])(?:\d+(?:\.\d+)?d)?(?:\d+(?:\.\d+)?h)?(?:\d+(?:\.\d+)?m(?!s))?(?:\d+(?:\.\d+)?s)?(?:\d+(?:\.\d+)?ms)?$/;
const PART = /(\d+(?:\.\d+)?)(ms|[dhms])/g;
const NUMBER = /^\d+(?:\.\d+)?$/;
/** Longest text in characters: a longer one is no duration. */
const LONGEST = 64;

/** Parses `500ms`, `90s`, `5m` or `1h30m`; a text without a unit is seconds. Returns seconds, or undefined. */
export function parseDuration(text: string): number | undefined {
  const bare = text.trim();
  if (bare.length > LONGEST) return undefined;
  if (NUMBER.test(bare)) return Number(bare);
  if (!DURATION_FORM.test(bare)) return undefined;
  // Milliseconds are added up as whole numbers, because 0.001 has no exact value.
  let ms = 0;
  for (const [, count = '', unit = ''] of bare.matchAll(PART)) {
    ms += unit === 'ms' ? Number(count) : Number(count) * (UNITS[unit] ?? 0) * 1_000;
  }
  return ms / 1_000;
}

/** Returns the seconds of a checked duration, or undefined if it is not given. */
export function toSeconds(duration: Duration | undefined): number | undefined {
  return typeof duration === 'string' ? parseDuration(duration) : duration;
}

/** Renders seconds with the largest units: `1h30m`, `500ms`. */
export function renderDuration(seconds: number): string {
  let left = Math.round(seconds * 1_000);
  let text = '';
  for (const [unit, size] of Object.entries(UNITS)) {
    const sizeMs = size * 1_000;
    const count = Math.floor(left / sizeMs);
    if (count > 0) text += `${count}${unit}`;
    left -= count * sizeMs;
  }
  return text === '' ? '0s' : text;
}
