import { stripVTControlCharacters } from 'node:util';

/** Characters that take two columns in a terminal: East Asian ones and most emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]$/u;
/**
 * Exceptions of the classes above: the soft hyphen and Arabic number signs are drawn, and the selector U+FE0F makes the
 * character before it an emoji of two columns. A text that is narrower than counted does no harm.
 */
const ONE_COLUMN = /^(?:[\u00ad\u0600-\u0605\u06dd]|\ufe0f)$/u;

/** Returns the number of terminal columns that a text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(text)) width += columnsOf(character);
  return width;
}

/** Shortens a text without colours to `columns`. A shortened text ends in `…`. */
export function fitWidth(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  return columns < 1 ? '' : `${takeColumns(text, columns - 1)}…`;
}

/** Shortens a text without colours to `columns`. The middle is left out: paths differ at their ends. */
export function fitMiddle(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  if (columns < 1) return '';
  const endColumns = Math.floor((columns - 1) / 2);
  const reversed = takeColumns([...text].reverse().join(''), endColumns);
  return `${takeColumns(text, columns - 1 - endColumns)}…${[...reversed].reverse().join('')}`;
}

/** Returns the beginning of a text that takes at most `columns`. */
function takeColumns(text: string, columns: number): string {
  let kept = '';
  let width = 0;
  for (const character of text) {
    width += columnsOf(character);
    if (width > columns) break;
    kept += character;
  }
  return kept;
}

function columnsOf(character: string): number {
  if (ONE_COLUMN.test(character)) return 1;
  if (NO_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
