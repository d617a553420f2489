import { h, svg } from '../../../../web/view/element.js';
import { ATTEMPT_KINDS, type AttemptKind } from '../model/attempt-kind.js';
import type { Timeline } from '../model/timeline.js';

const WORDS: Readonly<Record<AttemptKind, string>> = {
  succeeded: 'succeeded',
  retried: 'failed, retried',
  failed: 'failed',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
  running: 'running',
};

/** Renders the legend of the kinds that occur in the timeline. */
export function timelineLegend(timeline: Timeline): HTMLElement {
  const kinds = new Set(timeline.items.map(({ kind }) => kind));
  const hasRepairs = timeline.items.some(({ attempt }) => attempt.repairs > 0);
  return h(
    'ul',
    { class: 'legend' },
    ...ATTEMPT_KINDS.filter((kind) => kinds.has(kind)).map((kind) =>
      h('li', {}, swatch(kind), WORDS[kind]),
    ),
    timeline.queueWaits.length > 0 &&
      h('li', {}, lineSwatch('bar-queue', 'M.5 11.5V7.5h7V3.5h7v3h7v5Z'), 'wait in the queue'),
    timeline.lanes.some((lane) => lane.some(({ startMs, workMs }) => workMs > startMs)) &&
      h('li', {}, lineSwatch('bar-wait', 'M.5 4.5h21v3h-21Z'), 'waits for a slot'),
    timeline.items.some(({ merge }) => merge !== undefined) &&
      h('li', {}, lineSwatch('bar-merge', 'M.5 9h21v2.5h-21Z'), 'waits for its merge'),
    hasRepairs && h('li', {}, repairSwatch(), 'repair turn'),
  );
}

function swatch(kind: AttemptKind): SVGSVGElement {
  const d = 'M.5.5h21v11h-21Z';
  return svg(
    'svg',
    { class: 'swatch', viewBox: '0 0 22 12', 'aria-hidden': 'true' },
    svg('path', { class: `bar is-${kind}`, d }),
    svg('path', { class: 'bar-pattern', fill: `url(#pattern-${kind})`, d }),
  );
}

function lineSwatch(className: string, d: string): SVGSVGElement {
  return svg(
    'svg',
    { class: 'swatch', viewBox: '0 0 22 12', 'aria-hidden': 'true' },
    svg('path', { class: className, d }),
  );
}

function repairSwatch(): SVGSVGElement {
  return svg(
    'svg',
    { class: 'swatch is-small', viewBox: '0 0 10 12', 'aria-hidden': 'true' },
    svg('path', { class: 'repair', d: 'M1.5 3h7l-3.5 6Z' }),
  );
}

/** Creates the fill patterns that tell kinds apart without colours. The page needs them once. */
export function timelinePatterns(): SVGDefsElement {
  const pattern = (kind: AttemptKind, size: number, d: string): SVGPatternElement =>
    svg(
      'pattern',
      { id: `pattern-${kind}`, width: size, height: size, patternUnits: 'userSpaceOnUse' },
      svg('path', { class: `pattern-line is-${kind}`, d }),
    );
  return svg(
    'defs',
    {},
    pattern('retried', 7, 'M-1 8 8-1M-1 1l2-2M6 8l2-2'),
    pattern('failed', 6, 'M0 0l6 6M6 0l-6 6'),
    pattern('cancelled', 5, 'M0 2.5h5'),
    pattern('interrupted', 5, 'M2 2h1v1h-1Z'),
  );
}
