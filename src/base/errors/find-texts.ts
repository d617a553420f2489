/** Part of a text: from the first to the second index, without the second. */
export type TextSpan = readonly [start: number, end: number];

/** Number of characters by which long texts are looked up. */
const KEY_LENGTH = 8;
const TABLE_BITS = 16;

/**
 * Creates a function that finds all occurrences of many texts in one pass. A table says for three characters at each
 * position if one of the texts may begin there; only then the texts themselves are compared. The time does not depend
 * on the number of texts. Texts shorter than eight characters, which are few, are looked for one by one.
 */
export function createFinder(texts: readonly string[]): (text: string) => TextSpan[] {
  const short = texts.filter(({ length }) => length > 0 && length < KEY_LENGTH);
  const table = new Uint8Array(1 << TABLE_BITS);
  const byKey = new Map<string, string[]>();
  for (const text of texts) {
    if (text.length < KEY_LENGTH) continue;
    const key = text.slice(0, KEY_LENGTH);
    byKey.set(key, [...(byKey.get(key) ?? []), text]);
    table[slotOf(text, 0)] = 1;
  }
  return (text) => {
    const found: [number, number][] = short.flatMap((wanted) => findAll(text, wanted));
    if (byKey.size === 0) return found;
    for (let at = 0; at <= text.length - KEY_LENGTH; at++) {
      if (table[slotOf(text, at)] === 0) continue;
      const candidates = byKey.get(text.slice(at, at + KEY_LENGTH)) ?? [];
      for (const wanted of candidates) {
        if (text.startsWith(wanted, at)) addSpan(found, at, at + wanted.length);
      }
    }
    return found;
  };
}

function slotOf(text: string, at: number): number {
  const mixed =
    text.charCodeAt(at) ^ (text.charCodeAt(at + 3) << 5) ^ (text.charCodeAt(at + 7) << 10);
  return (mixed ^ (mixed >>> TABLE_BITS)) & ((1 << TABLE_BITS) - 1);
}

function findAll(text: string, wanted: string): [number, number][] {
  const spans: [number, number][] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    addSpan(spans, at, at + wanted.length);
  }
  return spans;
}

/** Adds a span, or extends the last one: a text that repeats itself must not fill the memory with spans. */
function addSpan(spans: [number, number][], start: number, end: number): void {
  const last = spans.at(-1);
  if (last === undefined || start > last[1] || start < last[0]) spans.push([start, end]);
  else last[1] = Math.max(last[1], end);
}

/** Sorts spans and joins those that overlap or touch. */
export function joinSpans(spans: readonly TextSpan[]): TextSpan[] {
  const joined: [number, number][] = [];
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) addSpan(joined, start, end);
  return joined;
}
