import { stripVTControlCharacters } from 'node:util';

const LONGEST_LINE = 120;

/** What a model or a command has said must not move the cursor of who reads it. */
export function cleanText(text: string): string {
  return stripVTControlCharacters(text).replace(/(?![\n\t])\p{Cc}/gu, '');
}

/** On one line, cut where it is long. */
export function cleanLine(text: string): string {
  const line = cleanText(text.slice(0, LONGEST_LINE * 8))
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line;
}
