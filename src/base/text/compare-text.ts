/** Compares two texts by UTF-16 code units, for `sort`. The order does not depend on the locale of the machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
