/** More than any answer needs; one that is made of nothing but brackets must not hold us for ever. */
const MOST_STEPS = 50_000_000;

const OPENING = /[{[]/g;
const SCALAR = /-?\d[\d.eE+-]*|true|false|null/y;
const OPENED_BY: Readonly<Record<string, string>> = { '}': '{', ']': '[' };
const BETWEEN: ReadonlySet<string> = new Set([' ', '\t', '\n', '\r', ',', ':']);

/** The outermost objects and lists among other words, in their order. Brackets that are no JSON are passed over. */
export function findBrackets(text: string): unknown[] {
  const found: unknown[] = [];
  const hopeless = new Set<number>();
  let steps = MOST_STEPS;
  for (let from = 0; steps > 0; ) {
    OPENING.lastIndex = from;
    const start = OPENING.exec(text)?.index;
    if (start === undefined) break;
    from = start + 1;
    if (hopeless.has(start)) continue;
    const scan = scanFrom(text, start);
    steps -= scan.end - start;
    for (const opening of scan.unclosed) hopeless.add(opening);
    if (scan.unclosed.length > 0) continue;
    try {
      found.push(JSON.parse(text.slice(start, scan.end)));
      from = scan.end;
    } catch {
      // Brackets in pairs around something else; there may be JSON inside.
    }
  }
  return found;
}

interface Scan {
  /** Behind the bracket that closes the first one, or where it became clear that none does. */
  readonly end: number;
  /** Whoever begins at one of these fails at the same place. */
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

/** No string of JSON goes beyond its line. */
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
