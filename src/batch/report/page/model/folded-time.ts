/** From an instant to an instant, in milliseconds. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** Less than this is not worth a mark. */
const SHORTEST_FOLD_MS = 1_000;

/** The pauses between the runs of a batch. */
export function findFolds(runs: readonly Span[]): readonly Span[] {
  const folds: Span[] = [];
  let busyUntilMs = runs[0]?.endMs ?? 0;
  for (const { startMs, endMs } of runs) {
    const pause = { startMs: busyUntilMs, endMs: startMs };
    if (lengthOf(pause) >= SHORTEST_FOLD_MS) folds.push(pause);
    busyUntilMs = Math.max(busyUntilMs, endMs);
  }
  return folds;
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
