import { stripVTControlCharacters } from 'node:util';

const LONGEST_LINE = 120;

/** Removes control characters, so that text of a model or a command cannot move the cursor of the terminal. */
export function cleanText(text: string): string {
  return stripVTControlCharacters(text).replace(/(?![\n\t])\p{Cc}/gu, '');
}

/** Cleans a text and shortens it to one line of at most 120 characters. */
export function cleanLine(text: string): string {
  const line = cleanText(text.slice(0, LONGEST_LINE * 8))
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line;
}
