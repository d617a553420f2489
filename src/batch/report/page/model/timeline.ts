import type { BatchReport, BatchRunReport } from '../../../../api/batch-report.js';
import { createFoldedClock, type FoldedClock, findFolds, type Span } from './folded-time.js';
import { collectItems, type TimedItem, type TimelineItem } from './timeline-items.js';
import { toWorkerLanes } from './worker-lanes.js';

export interface Timeline {
  readonly clock: FoldedClock;
  /** Attempts of each lane, by start time. */
  readonly lanes: readonly (readonly TimedItem[])[];
  /** Name of each lane: its number, or the worker. */
  readonly laneNames: readonly string[];
  /** Times in which attempts waited in a queue. If there are any, the last lane is that of the queue. */
  readonly queueWaits: readonly Span[];
  readonly items: readonly TimedItem[];
}

export function createTimeline(report: BatchReport): Timeline {
  const begun = collectItems(report.steps);
  const whole = findWhole(report, begun);
  const folds = findFolds(report.runs.map(toSpan));
  const items = estimateEnds(begun, whole, folds);
  const clock = createFoldedClock(whole, folds);
  const isQueued = items.some(({ attempt }) => attempt.job !== undefined);
  if (isQueued) return { clock, items, ...toWorkerLanes(items, whole.endMs) };
  const lanes = toLanes(items);
  const laneNames = lanes.map(([first]) => `${(first?.lane ?? 0) + 1}`);
  return { clock, items, lanes, laneNames, queueWaits: [] };
}

function toSpan({ startedAt, endedAt }: BatchRunReport): Span {
  return { startMs: Date.parse(startedAt), endMs: Date.parse(endedAt) };
}

function findWhole(report: BatchReport, items: readonly TimelineItem[]): Span {
  const known = [
    Date.parse(report.startedAt),
    Date.parse(report.endedAt),
    ...items.flatMap(({ startMs, workMs, endMs, mergedMs }) => [
      startMs,
      mergedMs ?? endMs ?? workMs,
    ]),
  ].filter((instant) => !Number.isNaN(instant));
  // `reduce` instead of `Math.min(...known)`: a large batch has more times than a call can take arguments.
  const startMs = known.reduce(
    (least, instant) => Math.min(least, instant),
    Number.POSITIVE_INFINITY,
  );
  const endMs = known.reduce((most, instant) => Math.max(most, instant), startMs);
  return Number.isFinite(startMs) ? { startMs, endMs } : { startMs: 0, endMs: 0 };
}

/**
 * Estimates the end of attempts whose run died: the start of the next pause or of the next attempt in the lane,
 * whichever is earlier.
 */
function estimateEnds(
  items: readonly TimelineItem[],
  whole: Span,
  folds: readonly Span[],
): readonly TimedItem[] {
  const nextStartInLane = new Map<number, number>();
  return items
    .toReversed()
    .map((item): TimedItem => {
      const nextStartMs = nextStartInLane.get(item.lane) ?? whole.endMs;
      nextStartInLane.set(item.lane, item.startMs);
      if (item.endMs !== undefined) {
        // The lane belongs to the next attempt from its start on, also in ledgers whose end includes the merge.
        const endMs = Math.min(item.endMs, Math.max(item.startMs, nextStartMs));
        const workMs = Math.min(item.workMs, endMs);
        return { ...item, workMs, endMs, isEndKnown: true, merge: mergeOf(item, endMs, whole) };
      }
      const pauseMs = folds.find((fold) => fold.startMs >= item.startMs)?.startMs ?? whole.endMs;
      return { ...item, endMs: Math.min(nextStartMs, pauseMs), isEndKnown: false };
    })
    .toReversed();
}

/** Returns the time that a finished attempt waits for its merge and is merged. A merge that is not over lasts until now. */
function mergeOf(item: TimelineItem, endMs: number, whole: Span): Span | undefined {
  const { step, attempt, mergedMs } = item;
  const isOpen = step.state === 'merging' && step.attempts.at(-1) === attempt;
  const untilMs = mergedMs ?? (isOpen ? whole.endMs : (item.endMs ?? endMs));
  return untilMs > endMs ? { startMs: endMs, endMs: untilMs } : undefined;
}

function toLanes(items: readonly TimedItem[]): readonly (readonly TimedItem[])[] {
  // Lanes are created for the numbers that occur: a stray lane 1,000,000 must not create a million rows.
  const numbers = [...new Set(items.map(({ lane }) => lane))].sort((one, other) => one - other);
  const lanes = new Map(numbers.map((number): [number, TimedItem[]] => [number, []]));
  for (const item of items) lanes.get(item.lane)?.push(item);
  return [...lanes.values()];
}
