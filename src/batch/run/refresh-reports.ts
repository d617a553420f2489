import type { BatchReport } from '../../api/batch-report.js';

/** Times of the refresh in milliseconds. */
export interface RefreshTiming {
  /** Shortest time between two refreshes. */
  readonly everyMs: number;
  /** Shortest time between two refreshes, as a multiple of the time that the last one has taken. */
  readonly restFactor: number;
}

/** A refresh of a second is followed by 50 seconds of rest: at most 2 % of the time go into the reports. */
export const REFRESH_TIMING: RefreshTiming = { everyMs: 5_000, restFactor: 50 };

export interface RefreshRequest {
  readonly build: () => BatchReport;
  readonly write: (report: BatchReport) => Promise<void>;
  readonly timing?: RefreshTiming | undefined;
}

/** Writes the reports again and again while a batch runs. Returns a function that ends it and waits for the last write. */
export function refreshReports({
  build,
  write,
  timing = REFRESH_TIMING,
}: RefreshRequest): () => Promise<void> {
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const plan = (delayMs: number): void => {
    if (isOver) return;
    timer = setTimeout(() => {
      writing = refresh();
    }, delayMs);
    // The timer alone must not keep the process alive.
    timer.unref();
  };
  const refresh = async (): Promise<void> => {
    const startedMs = performance.now();
    // A report that cannot be written is tried again: the results are in the ledger, and the end of the batch reports it.
    await Promise.resolve()
      .then(() => write(build()))
      .catch(() => {});
    plan(Math.max(timing.everyMs, (performance.now() - startedMs) * timing.restFactor));
  };
  plan(timing.everyMs);
  return async () => {
    isOver = true;
    clearTimeout(timer);
    await writing;
  };
}
