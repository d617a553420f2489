/**
 * Returns the first cases in the gate, whose time is limited, and all of them in `npm run stress`. The list begins with the cases
 * that differ most from each other.
 *
 * @param count how many the gate runs
 */
export function gateCases<T>(cases: readonly T[], count: number): readonly T[] {
  return process.env['ALL_CASES'] === undefined ? cases.slice(0, count) : cases;
}
