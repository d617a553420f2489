/** From an instant to an instant, in milliseconds. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** Less than this is waiting or rounding, not the time between two runs. */
const SHORTEST_FOLD_MS = 1_000;

/**
 * The pauses between the runs of a batch. The report does not name them, but it tells how long the runs took
 * together: the longest times in which nothing ran are folded until the rest is that long.
 */
export function findFolds(
  activity: readonly { readonly startMs: number; readonly endMs?: number | undefined }[],
  whole: Span,
  durationMs: number,
): readonly Span[] {
  let unexplainedMs = lengthOf(whole) - durationMs;
  const folds: Span[] = [];
  const longestFirst = findGaps(activity, whole).sort(
    (one, other) => lengthOf(other) - lengthOf(one),
  );
  for (const gap of longestFirst) {
    if (unexplainedMs < SHORTEST_FOLD_MS || lengthOf(gap) < SHORTEST_FOLD_MS) break;
    // Mostly time that belongs to a run, such as a wait before a retry.
    if (lengthOf(gap) > 2 * unexplainedMs) continue;
    folds.push(gap);
    unexplainedMs -= lengthOf(gap);
  }
  return folds.sort((one, other) => one.startMs - other.startMs);
}

function findGaps(
  activity: readonly { readonly startMs: number; readonly endMs?: number | undefined }[],
  whole: Span,
): Span[] {
  const gaps: Span[] = [];
  let coveredUntil = whole.startMs;
  for (const { startMs, endMs } of activity) {
    if (startMs > coveredUntil) gaps.push({ startMs: coveredUntil, endMs: startMs });
    coveredUntil = Math.max(coveredUntil, endMs ?? startMs);
  }
  if (whole.endMs > coveredUntil) gaps.push({ startMs: coveredUntil, endMs: whole.endMs });
  return gaps;
}

export function lengthOf(span: Span): number {
  return span.endMs - span.startMs;
}

/** A clock that stands still in the folds. */
export interface FoldedClock {
  readonly totalMs: number;
  readonly folds: readonly FoldMark[];
  /** Time since the beginning without the folds, and how many folds lie before. */
  read(instantMs: number): FoldedInstant;
}

export interface FoldedInstant {
  readonly elapsedMs: number;
  readonly foldsBefore: number;
}

export interface FoldMark extends Span {
  readonly elapsedMs: number;
}

export function createFoldedClock(whole: Span, folds: readonly Span[]): FoldedClock {
  const marks: FoldMark[] = [];
  let foldedMs = 0;
  for (const fold of folds) {
    marks.push({ ...fold, elapsedMs: fold.startMs - whole.startMs - foldedMs });
    foldedMs += lengthOf(fold);
  }
  return {
    totalMs: lengthOf(whole) - foldedMs,
    folds: marks,
    read: (instantMs) => {
      let skippedMs = 0;
      let foldsBefore = 0;
      for (const fold of folds) {
        if (instantMs < fold.endMs) {
          const intoFoldMs = Math.max(0, instantMs - fold.startMs);
          return { elapsedMs: instantMs - whole.startMs - skippedMs - intoFoldMs, foldsBefore };
        }
        skippedMs += lengthOf(fold);
        foldsBefore += 1;
      }
      return { elapsedMs: instantMs - whole.startMs - skippedMs, foldsBefore };
    },
  };
}
