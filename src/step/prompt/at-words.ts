/** Word after an `@` that the CLI would look up. */
export interface AtWord {
  /** Index of the `@`. */
  readonly index: number;
  /** Index after the last character of the word. */
  readonly end: number;
  /** Path that the CLI would look up: the word without its backslash escapes. */
  readonly path: string;
}

const ENDS_WORD = new Set(' \t\n\r,;!?()[]{}');
const SPACE_OR_BREAK = new Set(' \t\n\r');
const NOT_ESCAPABLE = new Set('\n\r\u2028\u2029');

/**
 * Finds the next `@word` by the rules of CLI 0.61. An `@` after a backslash does not count. A word ends at white
 * space, a bracket or punctuation. A dot belongs to the word unless white space or the end of the text follows.
 * `\x` is a literal x. A quoted part may contain any character.
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
