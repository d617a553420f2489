const MOST_CHARACTERS = 200;

/** Returns the first line of a text as a title. Dots at its end say that the text goes on. */
export function cutTitle(text: string, most = MOST_CHARACTERS): string {
  const whole = text.trim();
  const [line = ''] = whole.split(/[\r\n]/, 1);
  // A character of two halves is not cut in its middle.
  const shown = line.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
  return shown.length === whole.length ? shown : `${shown}…`;
}
