/** Sorts texts by their UTF-16 code units. The order does not depend on the language of the machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
