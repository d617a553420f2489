/** Returns a count with its noun: `1 step`, `2 steps`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
