const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
/** Beyond this age the day says more. */
const MOST_DAYS = 30;

/** Says how long ago a time was. Empty for a text that is no time. */
export function formatAge(iso: string, nowMs: number): string {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) return '';
  const minutes = Math.floor((nowMs - ms) / MINUTE_MS);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < DAY_MINUTES) return `${Math.floor(minutes / 60)} h ago`;
  const days = Math.floor(minutes / DAY_MINUTES);
  if (days > MOST_DAYS) return new Date(ms).toISOString().slice(0, 'YYYY-MM-DD'.length);
  return days === 1 ? '1 day ago' : `${days} days ago`;
}
