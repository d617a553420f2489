import { stripVTControlCharacters } from 'node:util';

const LONGEST_SHOWN = 200;
const MOST_LISTED = 20;

export function shorten(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

/** Returns the text in quotes, shortened and on one line. */
export function quote(text: string): string {
  return JSON.stringify(shorten(text));
}

export function listPaths(paths: readonly string[]): string {
  const shown = paths.slice(0, MOST_LISTED).map(quote);
  const left = paths.length - shown.length;
  return left === 0 ? shown.join(', ') : `${shown.join(', ')} and ${left} more`;
}

/** Removes unpaired surrogates, which no prompt can hold, and control characters, which a terminal would act on. */
export function toPlainText(text: string): string {
  const whole = Buffer.from(text, 'utf8').toString('utf8');
  return stripVTControlCharacters(whole)
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '');
}
