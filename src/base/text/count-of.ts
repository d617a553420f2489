/** Returns a number with its noun: `1 file`, `2 files`. */
export function countOf(count: number, thing: string): string {
  return `${count} ${count === 1 ? thing : `${thing}s`}`;
}
