/** Characters that are scanned at most. No real answer needs as many; a text of only brackets would take too long. */
const MOST_SCANNED = 50_000_000;

const OPENING = /[{[]/g;
const SCALAR = /-?\d[\d.eE+-]*|true|false|null/y;
const OPENED_BY: Readonly<Record<string, string>> = { '}': '{', ']': '[' };
const BETWEEN: ReadonlySet<string> = new Set([' ', '\t', '\n', '\r', ',', ':']);

/** Finds the outermost JSON objects and lists in a text, in order. Brackets that are no JSON are skipped. */
export function findBrackets(text: string): unknown[] {
  const found: unknown[] = [];
  const neverClosed = new Set<number>();
  let budget = MOST_SCANNED;
  for (let from = 0; budget > 0; ) {
    OPENING.lastIndex = from;
    const start = OPENING.exec(text)?.index;
    if (start === undefined) break;
    from = start + 1;
    if (neverClosed.has(start)) continue;
    const scan = scanFrom(text, start);
    budget -= scan.end - start;
    for (const opening of scan.unclosed) neverClosed.add(opening);
    if (scan.unclosed.length > 0) continue;
    try {
      found.push(JSON.parse(text.slice(start, scan.end)));
      from = scan.end;
    } catch {
      // The brackets match but the content is no JSON. JSON may follow inside, so the search continues there.
    }
  }
  return found;
}

interface Scan {
  /** Index after the bracket that closes the first one, or index at which the scan failed. */
  readonly end: number;
  /** Indexes of brackets that were open when the scan failed. A scan from one of them fails at the same index. */
  readonly unclosed: readonly number[];
}

function scanFrom(text: string, start: number): Scan {
  const open: number[] = [];
  let at = start;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '{' || character === '[') {
      open.push(at++);
    } else if (character === '}' || character === ']') {
      if (text.charAt(open.at(-1) ?? start) !== OPENED_BY[character]) break;
      open.pop();
      at++;
      if (open.length === 0) return { end: at, unclosed: [] };
    } else if (BETWEEN.has(character)) {
      at++;
    } else {
      const end = character === '"' ? endOfString(text, at) : endOfScalar(text, at);
      if (end === undefined) break;
      at = end;
    }
  }
  return { end: at, unclosed: open };
}

/** Returns undefined for a string that does not end on its line: JSON strings contain no line break. */
function endOfString(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') return at + 1;
    if (character === '\n') return undefined;
    if (character === '\\') at++;
  }
  return undefined;
}

function endOfScalar(text: string, start: number): number | undefined {
  SCALAR.lastIndex = start;
  return SCALAR.exec(text) === null ? undefined : SCALAR.lastIndex;
}
