import type { FoldedClock, FoldedInstant, Span } from './folded-time.js';

/** Width of a column in pixels. */
const COLUMN_WIDTH = 2;

/** How many attempts waited in the queue, by columns of the picture. */
export interface QueueDepth {
  readonly columnWidth: number;
  readonly counts: readonly number[];
  /** Greatest number of attempts that waited at the same time. */
  readonly most: number;
}

/** Counts the waits in each column of a picture: the picture costs the same for ten waits and for a hundred thousand. */
export function measureQueue(
  waits: readonly Span[],
  clock: FoldedClock,
  toX: (instant: FoldedInstant) => number,
  width: number,
): QueueDepth {
  const columns = Math.max(1, Math.ceil(width / COLUMN_WIDTH));
  const changes = new Array<number>(columns + 1).fill(0);
  const columnOf = (ms: number): number => {
    return Math.max(0, Math.min(columns - 1, Math.floor(toX(clock.read(ms)) / COLUMN_WIDTH)));
  };
  for (const { startMs, endMs } of waits) {
    const [first, last] = [columnOf(startMs), columnOf(endMs) + 1];
    changes[first] = (changes[first] ?? 0) + 1;
    changes[last] = (changes[last] ?? 0) - 1;
  }
  let count = 0;
  const counts = changes.slice(0, columns).map((change) => {
    count += change;
    return count;
  });
  return {
    columnWidth: COLUMN_WIDTH,
    counts,
    most: counts.reduce((most, one) => Math.max(most, one), 0),
  };
}
