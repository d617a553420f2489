const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return '–';
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  // Round before comparing: 59.96 s is "1 min", not "60.0 s".
  const tenths = Math.round(ms / 100) / 10;
  if (tenths < 60) return `${tenths.toFixed(tenths < 10 ? 1 : 0)} s`;
  const seconds = Math.round(ms / SECOND);
  if (seconds < 3600) return joinUnits(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(ms / MINUTE);
  if (minutes < 48 * 60) return joinUnits(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  const hours = Math.round(ms / HOUR);
  return joinUnits(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

function joinUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

const grouped = new Intl.NumberFormat('en');

export function formatNumber(value: number): string {
  return grouped.format(value);
}

const compact = new Intl.NumberFormat('en', {
  notation: 'compact',
  maximumSignificantDigits: 3,
});

/** Formats a number in short form: 1.24M, 12.3K. Numbers below a thousand stay as they are. */
export function formatCompact(value: number): string {
  return compact.format(value);
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < BYTE_UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 9.95 ? Math.round(value) : value.toFixed(1)} ${BYTE_UNITS[unit]}`;
}

/** Formats a time as `YYYY-MM-DD HH:MM:SS` in the time zone of the browser. A text that is no time stays as it is. */
export function formatTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(twoDigits).join('-');
  return `${day} ${formatClock(date)}`;
}

/** Formats a time, without its day if that is the day of `earlierIso`. */
export function formatLater(iso: string, earlierIso: string): string {
  const [later, earlier] = [formatTime(iso), formatTime(earlierIso)];
  const day = earlier.slice(0, 'YYYY-MM-DD '.length);
  return later.startsWith(day) ? later.slice(day.length) : later;
}

function formatClock(date: Date): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** Formats a count with its noun: `1 step`, `2 steps`. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(count)} ${count === 1 ? noun : plural}`;
}
