import { ATTEMPT_KINDS, type AttemptKind } from '../model/attempt-kind.js';
import { joinMerges, type LaneStretch } from '../model/timeline-bars.js';
import type { PositionedItem, TimelineLayout } from '../model/timeline-layout.js';

export interface BarPaths {
  readonly kind: AttemptKind;
  /** Path of the bars that are wide enough for a pattern. */
  readonly wide: string;
  /** Path of the bars that are too narrow for a pattern: the bars are filled, and each kind has its own height. */
  readonly narrow: string;
}

const NARROW = 16;

/** Draws all bars of a kind as two paths: a thousand attempts take ten elements. */
export function drawBars(lanes: readonly (readonly PositionedItem[])[]): readonly BarPaths[] {
  const all = lanes.flat();
  return ATTEMPT_KINDS.map((kind) => {
    const bars = all.filter(({ item }) => item.kind === kind);
    const wide = bars.filter(({ width }) => width >= NARROW);
    const narrow = bars.filter(({ width }) => width < NARROW);
    return { kind, wide: wide.map(drawBar).join(''), narrow: narrow.map(drawNarrow).join('') };
  });
}

/**
 * Top and bottom of a narrow bar, as a share of the bar height. A failed attempt is taller than others; a cancelled or
 * interrupted attempt is a thin stroke.
 */
const NARROW_REACH: Readonly<Record<AttemptKind, readonly [top: number, bottom: number]>> = {
  succeeded: [0.05, 0.95],
  retried: [0.5, 0.95],
  failed: [-0.15, 1],
  cancelled: [0.35, 0.65],
  interrupted: [0.35, 0.65],
  running: [0.2, 0.8],
};

function drawNarrow({ item, x, y, width, height }: PositionedItem): string {
  const [top, bottom] = NARROW_REACH[item.kind].map((share) => round(y + share * height));
  const [left, right] = [round(x), round(x + Math.max(1.5, width - 1))];
  return `M${left} ${top}H${right}V${bottom}H${left}Z`;
}

/** Draws the work of an attempt as a bar. The right side is pointed if the end of the attempt is unknown. */
export function drawBar({ item, x, workX, y, width, height }: PositionedItem): string {
  const right = round(x + Math.max(1, width - 1));
  const left = Math.min(right, round(workX + 0.5));
  const [top, bottom] = [y + 0.5, y + height - 0.5];
  if (item.isEndKnown) return `M${left} ${top}H${right}V${bottom}H${left}Z`;
  const middle = (top + bottom) / 2;
  const tip = Math.max(left, right - 4);
  return `M${tip} ${top}H${left}V${bottom}H${tip}L${right} ${middle}Z`;
}

const LEAST_WAIT = 2;

/** Draws the time that attempts wait for a slot, as a thin bar before the work. */
export function drawWaits(lanes: readonly (readonly PositionedItem[])[]): string {
  return lanes
    .flat()
    .filter(({ x, workX }) => workX - x >= LEAST_WAIT)
    .map(({ x, workX, y, height }) => {
      const [top, bottom] = [round(y + height * 0.4), round(y + height * 0.6)];
      return `M${round(x)} ${top}H${round(workX)}V${bottom}H${round(x)}Z`;
    })
    .join('');
}

/** Draws how many attempts wait in the queue, as columns in the last lane. */
export function drawQueue({ queue, height, laneHeight }: TimelineLayout): string {
  if (queue === undefined || queue.most === 0) return '';
  const bottom = height - 3;
  const room = laneHeight - 6;
  const { counts, columnWidth, most } = queue;
  let path = '';
  for (let from = 0, until = 0; from < counts.length; from = until) {
    const count = counts[from] ?? 0;
    while (until < counts.length && counts[until] === count) until++;
    if (count === 0) continue;
    const top = round(bottom - Math.max(2, (count / most) * room));
    path += `M${from * columnWidth} ${bottom}V${top}H${until * columnWidth}V${bottom}Z`;
  }
  return path;
}

/** Draws the time that attempts wait for their merge, as a line in the gap below the bars of the lane. */
export function drawMerges({ lanes }: Pick<TimelineLayout, 'lanes'>): string {
  return lanes
    .map((lane) => (lane[0] === undefined ? '' : drawBelow(lane[0], joinMerges(lane))))
    .join('');
}

/** Draws the wait of these attempts for their merge, for the step in focus. */
export function drawMergesOf(attempts: readonly PositionedItem[]): string {
  return attempts.map((one) => (one.merge ? drawBelow(one, [one.merge]) : '')).join('');
}

function drawBelow({ y, height }: PositionedItem, stretches: readonly LaneStretch[]): string {
  const [top, bottom] = [round(y + height), round(y + height + Math.max(1.5, height * 0.12))];
  return stretches
    .map(({ x, width }) => `M${round(x)} ${top}H${round(x + width)}V${bottom}H${round(x)}Z`)
    .join('');
}

/** Draws a notch in the upper edge for each repair turn, as many as there is room for. */
export function drawRepairs(lanes: readonly (readonly PositionedItem[])[]): string {
  return lanes
    .flat()
    .filter(({ item }) => item.attempt.repairs > 0)
    .map(({ item, x, y, width }) => {
      const top = y - 2;
      if (width < 12) return `M${round(x + width / 2 - 2.5)} ${top}h5l-2.5 5Z`;
      const shown = Math.min(item.attempt.repairs, Math.max(1, Math.floor((width - 4) / 8)), 6);
      return Array.from({ length: shown }, (_, index) => {
        return `M${round(x + width - 9 - index * 8)} ${top}h7l-3.5 6Z`;
      }).join('');
    })
    .join('');
}

/** Draws a line from the end of each attempt to the start of the next attempt of the same step. */
export function drawRetries(attempts: readonly PositionedItem[]): string {
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

function middleOf({ y, height }: PositionedItem): number {
  return y + height / 2;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
