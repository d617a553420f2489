/** One `@…` that the CLI would look up, and what it would look for. */
export interface AtWord {
  /** Of the `@`. */
  readonly index: number;
  /** Behind the last character that belongs to it. */
  readonly end: number;
  /** With backslash escapes resolved. */
  readonly path: string;
}

const ENDS_WORD = new Set(' \t\n\r,;!?()[]{}');
const SPACE_OR_BREAK = new Set(' \t\n\r');
const NOT_ESCAPABLE = new Set('\n\r\u2028\u2029');

/**
 * The next `@word` as CLI 0.61 reads it: not after a backslash; up to a blank or a bracket or punctuation;
 * a dot counts unless it ends the word; `\x` is a literal x; a quoted part may hold anything.
 */
export function findAtWord(text: string, from: number): AtWord | undefined {
  for (let at = text.indexOf('@', from); at !== -1; at = text.indexOf('@', at + 1)) {
    if (text[at - 1] === '\\') continue;
    const end = endOfWord(text, at + 1);
    if (end === at + 1) continue;
    return { index: at, end, path: text.slice(at + 1, end).replace(/\\(.)/g, '$1') };
  }
  return undefined;
}

function endOfWord(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const length = lengthOfPiece(text, at);
    if (length === 0) break;
    at += length;
  }
  return at;
}

function lengthOfPiece(text: string, at: number): number {
  const char = text.charAt(at);
  const next = text[at + 1];
  if (char === '"') {
    const closing = text.indexOf('"', at + 1);
    return closing === -1 ? 1 : closing + 1 - at;
  }
  if (char === '\\') return next === undefined || NOT_ESCAPABLE.has(next) ? 1 : 2;
  if (char === '.') return next === undefined || SPACE_OR_BREAK.has(next) ? 0 : 1;
  return ENDS_WORD.has(char) ? 0 : 1;
}
