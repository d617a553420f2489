import type { AttemptKind } from './attempt-kind.js';
import { NARROWEST_BAR, type PositionedItem } from './timeline-layout.js';

/** Kinds by importance: where there is room for one bar only, the most important attempt is drawn. */
const IMPORTANCE: Readonly<Record<AttemptKind, number>> = {
  succeeded: 0,
  running: 1,
  cancelled: 2,
  interrupted: 3,
  retried: 4,
  failed: 5,
};

/**
 * Chooses the bars of a lane that are drawn, so that no two overlap. A long bar gives way to the next one. Of several
 * attempts in the same few pixels, one is drawn: a lane never has more bars than its width has room for.
 */
export function chooseBars(lane: readonly PositionedItem[]): readonly PositionedItem[] {
  const bars: PositionedItem[] = [];
  for (const bar of lane) {
    const before = bars.at(-1);
    if (before === undefined || bar.x >= before.x + before.width) bars.push(bar);
    else if (bar.x - before.x >= NARROWEST_BAR) {
      bars[bars.length - 1] = { ...before, width: bar.x - before.x };
      bars.push(bar);
    } else if (IMPORTANCE[bar.item.kind] > IMPORTANCE[before.item.kind]) {
      bars[bars.length - 1] = { ...bar, x: before.x, workX: Math.max(before.x, bar.workX) };
    }
  }
  return bars;
}

/** A stretch of a lane in pixels. */
export interface LaneStretch {
  readonly x: number;
  readonly width: number;
}

/**
 * Joins the stretches in which attempts of a lane wait for their merge. The waits of several attempts overlap, because
 * the lane goes to the next attempt at the end of the work.
 */
export function joinMerges(lane: readonly PositionedItem[]): readonly LaneStretch[] {
  const joined: { x: number; width: number }[] = [];
  const merges = lane.flatMap(({ merge }) => merge ?? []).sort((one, other) => one.x - other.x);
  for (const { x, width } of merges) {
    const last = joined.at(-1);
    if (last === undefined || x > last.x + last.width + 1) joined.push({ x, width });
    else last.width = Math.max(last.width, x + width - last.x);
  }
  return joined;
}
