const KILOBYTE = 1024;
/** Bytes of each unit. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  k: KILOBYTE,
  m: KILOBYTE ** 2,
  g: KILOBYTE ** 3,
  t: KILOBYTE ** 4,
};
const FORM = /^(\d{1,15}(?:\.\d{1,3})?) ?([kmgt]?)(?:i?b)?$/i;

/** Parses `500000`, `64MB` or `1.5g`; a kilobyte has 1024 bytes. Returns bytes, or undefined. */
export function parseBytes(text: string): number | undefined {
  const [, count = '', unit = ''] = FORM.exec(text.trim()) ?? [];
  const bytes = Math.round(Number(count) * (UNITS[unit.toLowerCase()] ?? 0));
  return bytes >= 1 && Number.isSafeInteger(bytes) ? bytes : undefined;
}
