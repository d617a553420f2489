import { revealInLine } from '../../../../web/reveal-controls.js';
import { svg } from '../../../../web/view/element.js';
import { shortenName } from '../model/shorten-name.js';
import type { PositionedItem, TimelineBreak, TimelineLayout } from '../model/timeline-layout.js';
import {
  drawBars,
  drawMerges,
  drawQueue,
  drawRepairs,
  drawRetries,
  drawWaits,
} from './timeline-shapes.js';

/** With more retried steps, the lines would hide the bars. The lines of the step in focus are always drawn. */
const MOST_RETRY_LINES = 80;
const AXIS_HEIGHT = 22;

export function heightOf(layout: TimelineLayout): number {
  return layout.height + AXIS_HEIGHT;
}

type Bars = readonly (readonly PositionedItem[])[];

/** Draws the parts that stay the same until the next layout. */
export function drawPicture(layout: TimelineLayout, bars: Bars, retried: Bars): SVGGElement {
  return svg(
    'g',
    { 'aria-hidden': 'true' },
    ...layout.lanes.map((_, index) =>
      svg('rect', {
        class: 'timeline-lane',
        x: 0,
        y: index * layout.laneHeight + 3,
        width: layout.width,
        height: layout.laneHeight - 6,
      }),
    ),
    ...drawAxis(layout),
    svg('path', { class: 'bar-merge', d: drawMerges(layout) }),
    svg('path', { class: 'bar-wait', d: drawWaits(bars) }),
    svg('path', { class: 'bar-queue', d: drawQueue(layout) }),
    ...drawBars(bars).flatMap(({ kind, wide, narrow }) => [
      svg('path', { class: `bar is-${kind}`, d: wide }),
      svg('path', { class: 'bar-pattern', fill: `url(#pattern-${kind})`, d: wide }),
      svg('path', { class: `bar is-narrow is-${kind}`, d: narrow }),
    ]),
    ...layout.breaks.map((one) => drawBreak(layout, one)),
    retried.length <= MOST_RETRY_LINES &&
      svg('path', { class: 'retry-line', d: retried.map(drawRetries).join('') }),
    svg('path', { class: 'repair', d: drawRepairs(bars) }),
  );
}

/** Returns the attempts of the steps that have several, by the id of the step, oldest first. */
export function groupRetried(
  layout: TimelineLayout,
): ReadonlyMap<string, readonly PositionedItem[]> {
  const groups = new Map<string, PositionedItem[]>();
  for (const positioned of layout.lanes.flat()) {
    const { id, attempts } = positioned.item.step;
    if (attempts.length < 2) continue;
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [positioned]);
    else group.push(positioned);
  }
  for (const group of groups.values()) group.sort((one, other) => one.x - other.x);
  return groups;
}

function drawAxis(layout: TimelineLayout): readonly SVGElement[] {
  const bottom = layout.height;
  return layout.ticks.flatMap(({ x, label }) => [
    svg('path', { class: 'grid', d: `M${Math.round(x) + 0.5} 0V${bottom + 4}` }),
    svg('text', { class: 'tick', x: x === 0 ? 0 : x + 4, y: bottom + 16 }, label),
  ]);
}

function drawBreak(layout: TimelineLayout, { x, label }: TimelineBreak): SVGGElement {
  const { height: bottom, breakWidth } = layout;
  const isWide = breakWidth >= 18;
  const teeth = Array.from({ length: Math.ceil(bottom / 8) }, (_, index) =>
    index % 2 === 0 ? 'l5 4l-5 4' : 'l-5 4l5 4',
  ).join('');
  return svg(
    'g',
    { class: 'break' },
    svg('rect', { x: x + breakWidth / 8, y: 0, width: breakWidth * 0.75, height: bottom }),
    isWide && svg('path', { d: `M${x + 8} 0${teeth}M${x + breakWidth - 8} 0${teeth}` }),
    label !== undefined &&
      svg('text', { class: 'tick', x: x + breakWidth / 2, y: bottom + 16 }, label),
  );
}

const CHARACTER_WIDTH = 6.6;
const LEAST_LABELLED_WIDTH = 44;
const LEAST_LABELLED_HEIGHT = 14;

/** Draws step names in the bars between `from` and `until` that have room for them. */
export function drawLabels(bars: Bars, from: number, until: number): SVGGElement {
  const labelled = bars
    .flat()
    .map((bar) => ({ ...bar, x: bar.workX, width: bar.x + bar.width - bar.workX }))
    .filter(({ width, height }) => width >= LEAST_LABELLED_WIDTH && height >= LEAST_LABELLED_HEIGHT)
    .filter(({ x, width }) => x + width > from && x < until);
  return svg(
    'g',
    { class: 'bar-labels', 'aria-hidden': 'true' },
    ...labelled.map(({ item, x, y, width, height }) => {
      const start = Math.max(x, Math.min(from, x + width - LEAST_LABELLED_WIDTH));
      const retry = item.attempt.number > 1 ? `↻${item.attempt.number} ` : '';
      const room = Math.floor(
        (x + width - start - 10 - 8 * item.attempt.repairs) / CHARACTER_WIDTH,
      );
      const label = shortenName(retry + revealInLine(item.step.id), room);
      // The inner picture clips the label at the end of the bar: letters of some scripts are wider than others.
      return svg(
        'svg',
        { x: start, y, width: x + width - start - 2, height },
        svg('text', { x: 6, y: height / 2 + 4 }, label),
      );
    }),
  );
}
