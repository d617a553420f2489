import type { BatchReport, BatchRunReport } from '../../../../api/batch-report.js';
import { createFoldedClock, type FoldedClock, findFolds, type Span } from './folded-time.js';
import { collectItems, type TimelineItem } from './timeline-items.js';

/** An attempt with an end, supposed where none is known. */
export interface TimedItem extends TimelineItem {
  readonly endMs: number;
  readonly isEndKnown: boolean;
}

export interface Timeline {
  readonly clock: FoldedClock;
  /** One list for each lane, by time. */
  readonly lanes: readonly (readonly TimedItem[])[];
  readonly items: readonly TimedItem[];
}

export function createTimeline(report: BatchReport): Timeline {
  const begun = collectItems(report.steps);
  const whole = findWhole(report, begun);
  const folds = findFolds(report.runs.map(toSpan));
  const items = supposeEnds(begun, whole, folds);
  return { clock: createFoldedClock(whole, folds), lanes: toLanes(items), items };
}

function toSpan({ startedAt, endedAt }: BatchRunReport): Span {
  return { startMs: Date.parse(startedAt), endMs: Date.parse(endedAt) };
}

function findWhole(report: BatchReport, items: readonly TimelineItem[]): Span {
  const known = [
    Date.parse(report.startedAt),
    Date.parse(report.endedAt),
    ...items.flatMap(({ startMs, endMs }) => [startMs, endMs ?? startMs]),
  ].filter((instant) => !Number.isNaN(instant));
  // Not Math.min(...known): there may be more of them than a call can take.
  const startMs = known.reduce(
    (least, instant) => Math.min(least, instant),
    Number.POSITIVE_INFINITY,
  );
  const endMs = known.reduce((most, instant) => Math.max(most, instant), startMs);
  return Number.isFinite(startMs) ? { startMs, endMs } : { startMs: 0, endMs: 0 };
}

/** A run that died took its attempts with it: they end where the pause begins, or where the lane goes on. */
function supposeEnds(
  items: readonly TimelineItem[],
  whole: Span,
  folds: readonly Span[],
): readonly TimedItem[] {
  const nextStartInLane = new Map<number, number>();
  return items
    .toReversed()
    .map((item): TimedItem => {
      const laneGoesOnMs = nextStartInLane.get(item.lane) ?? whole.endMs;
      nextStartInLane.set(item.lane, item.startMs);
      if (item.endMs !== undefined) return { ...item, endMs: item.endMs, isEndKnown: true };
      const pauseMs = folds.find((fold) => fold.startMs >= item.startMs)?.startMs ?? whole.endMs;
      return { ...item, endMs: Math.min(laneGoesOnMs, pauseMs), isEndKnown: false };
    })
    .toReversed();
}

function toLanes(items: readonly TimedItem[]): readonly (readonly TimedItem[])[] {
  // By the numbers that occur: a stray lane 1,000,000 must not make a million rows.
  const numbers = [...new Set(items.map(({ lane }) => lane))].sort((one, other) => one - other);
  const lanes = new Map(numbers.map((number): [number, TimedItem[]] => [number, []]));
  for (const item of items) lanes.get(item.lane)?.push(item);
  return [...lanes.values()];
}
