/** Time between two instants, in milliseconds. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** Shorter pauses are drawn at their real length. */
const SHORTEST_FOLD_MS = 1_000;

/** Returns the pauses between the runs of a batch that are long enough to be folded. */
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

function lengthOf(span: Span): number {
  return span.endMs - span.startMs;
}

/** Clock that does not advance during folded pauses. */
export interface FoldedClock {
  readonly totalMs: number;
  readonly folds: readonly FoldedPause[];
  /** Returns the time since the start without folded pauses, and the number of pauses before the instant. */
  read(instantMs: number): FoldedInstant;
}

export interface FoldedInstant {
  readonly elapsedMs: number;
  readonly foldsBefore: number;
}

export interface FoldedPause extends Span {
  /** Time of the clock at the pause. */
  readonly elapsedMs: number;
}

export function createFoldedClock(whole: Span, folds: readonly Span[]): FoldedClock {
  const pauses: FoldedPause[] = [];
  let foldedMs = 0;
  for (const fold of folds) {
    pauses.push({ ...fold, elapsedMs: fold.startMs - whole.startMs - foldedMs });
    foldedMs += lengthOf(fold);
  }
  return {
    totalMs: lengthOf(whole) - foldedMs,
    folds: pauses,
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
