import { formatDuration } from '../../../../web/model/format.js';
import type { FoldedClock, FoldedInstant } from './folded-time.js';
import { measureQueue, type QueueDepth } from './queue-depth.js';
import type { Timeline } from './timeline.js';
import type { TimedItem } from './timeline-items.js';

export interface PositionedItem {
  readonly item: TimedItem;
  readonly laneIndex: number;
  /** Index within the lane. */
  readonly index: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Start of the agent's work. Between `x` and `workX` the attempt waits for a slot. */
  readonly workX: number;
  /** Stretch after the work in which the attempt waits for its merge. The lane belongs to the next attempt by then. */
  readonly merge?: { readonly x: number; readonly width: number } | undefined;
}

export interface TimelineLayout {
  readonly width: number;
  /** Height of all lanes together. */
  readonly height: number;
  readonly laneHeight: number;
  readonly lanes: readonly (readonly PositionedItem[])[];
  /** Width of a folded pause in pixels. */
  readonly breakWidth: number;
  readonly breaks: readonly TimelineBreak[];
  readonly ticks: readonly { readonly x: number; readonly label: string }[];
  /** Attempts that wait in the queue. The last lane shows them. Undefined if none has waited. */
  readonly queue?: QueueDepth | undefined;
}

/** A folded pause. The label is absent where there is no room for it. */
export interface TimelineBreak {
  readonly x: number;
  readonly label?: string | undefined;
}

/** Width of a folded pause in pixels, whatever its duration. Many pauses are narrower: they take half of the picture. */
export const BREAK_WIDTH = 26;
export const NARROWEST_BAR = 2;
const LEAST_TICK_DISTANCE = 84;

/** Returns the height of a lane. Many lanes are drawn thinner, so that the timeline fits on a screen. */
function laneHeightFor(laneCount: number): number {
  if (laneCount <= 16) return 26;
  return laneCount <= 32 ? 18 : 13;
}

export function layOutTimeline(timeline: Timeline, width: number): TimelineLayout {
  const { clock, queueWaits: waits } = timeline;
  const breakWidth = Math.min(BREAK_WIDTH, width / 2 / Math.max(1, clock.folds.length));
  const drawable = Math.max(1, width - breakWidth * clock.folds.length);
  const pixelsPerMs = clock.totalMs > 0 ? drawable / clock.totalMs : 0;
  const toX = ({ elapsedMs, foldsBefore }: FoldedInstant): number =>
    elapsedMs * pixelsPerMs + foldsBefore * breakWidth;
  const laneHeight = laneHeightFor(timeline.lanes.length);
  const barHeight = Math.round(laneHeight * 0.77);
  const lanes = timeline.lanes.map((items, laneIndex) =>
    items.map((item, index): PositionedItem => {
      const start = toX(clock.read(item.startMs));
      const end = toX(clock.read(item.endMs));
      const barWidth = Math.max(NARROWEST_BAR, end - start);
      const x = Math.min(start, width - barWidth);
      const y = laneIndex * laneHeight + (laneHeight - barHeight) / 2;
      const workX = Math.min(x + barWidth, Math.max(x, toX(clock.read(item.workMs))));
      const merge = item.merge && toStretch(end, toX(clock.read(item.merge.endMs)));
      return { item, laneIndex, index, x, y, width: barWidth, height: barHeight, workX, merge };
    }),
  );
  const breaks = labelBreaks(
    clock.folds.map((fold, foldsBefore) => ({
      x: toX({ elapsedMs: fold.elapsedMs, foldsBefore }),
      label: `+${formatDuration(fold.endMs - fold.startMs)}`,
    })),
    breakWidth,
    width,
  );
  const ticks = placeTicks(clock, pixelsPerMs, breakWidth, width).filter(
    (tick) => !breaks.some(({ x }) => Math.abs(x - tick.x) < LEAST_TICK_DISTANCE),
  );
  const height = lanes.length * laneHeight;
  const queue = waits.length === 0 ? undefined : measureQueue(waits, clock, toX, width);
  return { width, height, laneHeight, lanes, breakWidth, breaks, ticks, queue };
}

function toStretch(from: number, until: number): PositionedItem['merge'] {
  return until - from < 1 ? undefined : { x: from, width: until - from };
}

/** Leaves out labels that would cross an edge of the picture or the label before. Labels are centred. */
function labelBreaks(
  breaks: readonly { readonly x: number; readonly label: string }[],
  breakWidth: number,
  width: number,
): readonly TimelineBreak[] {
  let usedUntil = 0;
  return breaks.map(({ x, label }) => {
    const half = (label.length * WIDEST_LETTER) / 2;
    const middle = x + breakWidth / 2;
    if (middle - half < usedUntil || middle + half > width) return { x };
    usedUntil = middle + half + WIDEST_LETTER;
    return { x, label };
  });
}

const TICK_STEPS_MS = [
  0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200,
  10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
].map((seconds) => seconds * 1000);

/** Width of a character in pixels. A label that would cross the right edge is left out. */
const WIDEST_LETTER = 7;

function placeTicks(
  clock: FoldedClock,
  pixelsPerMs: number,
  breakWidth: number,
  width: number,
): TimelineLayout['ticks'] {
  if (pixelsPerMs === 0) return [];
  const stepMs =
    TICK_STEPS_MS.find((step) => step * pixelsPerMs >= LEAST_TICK_DISTANCE) ??
    LEAST_TICK_DISTANCE / pixelsPerMs;
  return Array.from({ length: Math.floor(clock.totalMs / stepMs) + 1 }, (_, index) => {
    const elapsedMs = index * stepMs;
    const foldsBefore = clock.folds.filter((fold) => fold.elapsedMs < elapsedMs).length;
    const x = elapsedMs * pixelsPerMs + foldsBefore * breakWidth;
    return { x, label: elapsedMs === 0 ? '0' : formatDuration(elapsedMs) };
  }).filter(({ x, label }) => x + label.length * WIDEST_LETTER <= width);
}

/** Finds the attempt at `x` in a lane. An attempt up to `reach` pixels away counts as well. */
export function findItemAt(
  lane: readonly PositionedItem[],
  x: number,
  reach: number,
): PositionedItem | undefined {
  const next = countStartsUpTo(lane, x);
  const [before, after] = [lane[next - 1], lane[next]];
  const beyond = before === undefined ? Number.POSITIVE_INFINITY : x - before.x - before.width;
  if (before !== undefined && beyond <= 0) return before;
  const ahead = after === undefined ? Number.POSITIVE_INFINITY : after.x - x;
  if (Math.min(beyond, ahead) > reach) return undefined;
  return beyond <= ahead ? before : after;
}

/** Finds the attempt of a lane that is nearest to `x`. */
export function findNearest(
  lane: readonly PositionedItem[],
  x: number,
): PositionedItem | undefined {
  return findItemAt(lane, x, Number.POSITIVE_INFINITY);
}

/** Counts the attempts that begin at or before `x`. */
function countStartsUpTo(lane: readonly PositionedItem[], x: number): number {
  let [low, high] = [0, lane.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lane[middle]?.x ?? 0) <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}
