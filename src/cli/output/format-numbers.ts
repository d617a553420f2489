/** Formats a duration: `2.1 s`, `3 min 4 s`, `2 h 5 min`. */
export function formatSeconds(ms: number): string {
  const tenths = Math.round(Math.max(0, ms) / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`;
  const whole = Math.round(ms / 1000);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(whole / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Formats a time that is left, in whole seconds: tenths of a count-down say nothing. */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return seconds < 60 ? `${seconds} s` : formatSeconds(seconds * 1000);
}

/** Formats a number with a comma between thousands, on every machine the same. */
export function formatThousands(count: number): string {
  return count.toLocaleString('en-US');
}

/** Formats a time of day of this machine: `12:03:44`. */
export function formatClock(ms: number): string {
  return new Date(ms).toTimeString().slice(0, 8);
}

const SIZE_UNITS = ['kB', 'MB', 'GB', 'TB'];

/** Formats a size: `812 bytes`, `1.5 kB`, `2.0 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1_000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  let value = bytes / 1_000;
  let unit = 0;
  // 999.95 would be rounded to 1000.0.
  while (value >= 999.95 && unit < SIZE_UNITS.length - 1) {
    value /= 1_000;
    unit++;
  }
  return `${value.toFixed(1)} ${SIZE_UNITS[unit]}`;
}
