import { ATTEMPT_KINDS, type AttemptKind } from '../model/attempt-kind.js';
import type { PlacedItem } from '../model/timeline-layout.js';

export const LANE_HEIGHT = 26;
export const BAR_HEIGHT = 20;

export function topOf(laneIndex: number): number {
  return laneIndex * LANE_HEIGHT + (LANE_HEIGHT - BAR_HEIGHT) / 2;
}

export interface BarPaths {
  readonly kind: AttemptKind;
  readonly wide: string;
  /** Too narrow for a pattern: these are filled, and differ in height. */
  readonly narrow: string;
}

const NARROW = 16;

/** All bars of a kind as two paths: a thousand attempts are ten elements. */
export function drawBars(lanes: readonly (readonly PlacedItem[])[]): readonly BarPaths[] {
  const all = lanes.flat();
  return ATTEMPT_KINDS.map((kind) => {
    const bars = all.filter(({ item }) => item.kind === kind);
    const wide = bars.filter(({ width }) => width >= NARROW);
    const narrow = bars.filter(({ width }) => width < NARROW);
    return { kind, wide: wide.map(drawBar).join(''), narrow: narrow.map(drawNarrow).join('') };
  });
}

/** How far from the middle of the lane: a failure stands out, what came to nothing is a stroke. */
const NARROW_REACH: Readonly<Record<AttemptKind, readonly [above: number, below: number]>> = {
  succeeded: [9, 9],
  retried: [0, 9],
  failed: [13, 13],
  cancelled: [3, 3],
  interrupted: [3, 3],
};

function drawNarrow({ item, laneIndex, x, width }: PlacedItem): string {
  const [above, below] = NARROW_REACH[item.kind];
  const middle = topOf(laneIndex) + BAR_HEIGHT / 2;
  const drawn = round(Math.max(1.5, width - 1));
  return `M${round(x)} ${middle - above}h${drawn}v${above + below}h${-drawn}Z`;
}

/** With an open right side where nobody knows when it ended. */
export function drawBar({ item, laneIndex, x, width }: PlacedItem): string {
  const [left, right] = [round(x + 0.5), round(x + Math.max(1, width - 1))];
  const [top, bottom] = [topOf(laneIndex) + 0.5, topOf(laneIndex) + BAR_HEIGHT - 0.5];
  if (item.isEndKnown) return `M${left} ${top}H${right}V${bottom}H${left}Z`;
  const middle = (top + bottom) / 2;
  return `M${right} ${top}H${left}V${bottom}H${right}l4 ${middle - bottom}Z`;
}

/** A notch in the upper edge for each turn that was spent on mending. */
export function drawRepairs(lanes: readonly (readonly PlacedItem[])[]): string {
  return lanes
    .flat()
    .filter(({ item }) => item.attempt.repairs > 0)
    .map(({ item, laneIndex, x, width }) => {
      const shown = Math.max(1, Math.min(item.attempt.repairs, Math.floor((width - 4) / 8), 6));
      return Array.from({ length: shown }, (_, index) => {
        const left = width < 12 ? x + width / 2 - 3.5 : x + width - 9 - index * 8;
        return `M${round(left)} ${topOf(laneIndex) - 1}h7l-3.5 6Z`;
      }).join('');
    })
    .join('');
}

/** From the end of each attempt to the beginning of the next one of the same step. */
export function drawRetries(attempts: readonly PlacedItem[]): string {
  return attempts
    .slice(1)
    .map((next, index) => {
      const before = attempts[index];
      if (before === undefined) return '';
      const [fromX, fromY] = [round(before.x + before.width - 1), middleOf(before)];
      const [toX, toY] = [round(next.x), middleOf(next)];
      const bend = Math.max(14, Math.abs(toX - fromX) / 2);
      return `M${fromX} ${fromY}C${fromX + bend} ${fromY} ${toX - bend} ${toY} ${toX} ${toY}`;
    })
    .join('');
}

function middleOf({ laneIndex }: PlacedItem): number {
  return topOf(laneIndex) + BAR_HEIGHT / 2;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
