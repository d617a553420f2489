/** Returns the first line of a text that is not blank. */
export function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}
