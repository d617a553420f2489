/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = 0, high = 0] =
    sorted.length % 2 === 1
      ? [sorted[middle], sorted[middle]]
      : [sorted[middle - 1], sorted[middle]];
  return (low + high) / 2;
}

/**
 * Returns the median of the ratios of all rounds. The two sides were measured alternately, so that a slow minute of the
 * machine counts on both sides.
 * @param {readonly number[]} above
 * @param {readonly number[]} below
 */
export function pairedRatio(above, below) {
  return median(above.map((value, round) => value / (below[round] ?? Number.NaN)));
}

/**
 * Returns the milliseconds that the action takes.
 * @template T
 * @param {() => Promise<T>} action
 */
export async function timed(action) {
  const started = performance.now();
  await action();
  return performance.now() - started;
}
