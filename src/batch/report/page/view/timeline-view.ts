import { formatCount } from '../../../../web/model/format.js';
import { revealInLine } from '../../../../web/reveal-controls.js';
import { h, svg } from '../../../../web/view/element.js';
import { formatRoute } from '../model/route.js';
import type { Timeline } from '../model/timeline.js';
import { chooseBars } from '../model/timeline-bars.js';
import {
  findItemAt,
  findNearest,
  layOutTimeline,
  type PositionedItem,
  type TimelineLayout,
} from '../model/timeline-layout.js';
import { name } from './name.js';
import { drawLabels, drawPicture, groupRetried, heightOf } from './timeline-picture.js';
import { drawBar, drawMergesOf, drawRetries } from './timeline-shapes.js';
import { labelOf, tipOf } from './timeline-tip.js';

const GREATEST_WIDTH = 60_000;
const REACH = 4;

/**
 * Timeline with a single link, that of the active attempt: arrow keys move the link from attempt to attempt. The
 * pointer finds attempts by position, so the picture needs no element for each attempt.
 */
export class TimelineView {
  readonly element: HTMLElement;
  readonly #timeline: Timeline;
  readonly #scroller = h('div', { class: 'timeline-scroll' });
  readonly #tip = h('div', { class: 'tip', hidden: true, 'aria-hidden': 'true' });
  readonly #picture: SVGSVGElement;
  readonly #stepBars = svg('path', { class: 'step-bars', 'aria-hidden': 'true' });
  readonly #stepRetries = svg('path', { class: 'retry-line is-strong', 'aria-hidden': 'true' });
  #labels: SVGGElement = svg('g');
  #layout: TimelineLayout;
  /** Bars of each lane that are drawn. */
  #bars: readonly (readonly PositionedItem[])[] = [];
  /** Attempts of the steps that have several. */
  #attemptsOf: ReadonlyMap<string, readonly PositionedItem[]> = new Map();
  #active: PositionedItem | undefined;
  #activeLink: SVGAElement | undefined;
  #zoom = 1;

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
    this.#layout = layOutTimeline({ ...timeline, lanes: [] }, 0);
    this.#picture = svg('svg', {
      role: 'group',
      'aria-label': `${formatCount(timeline.items.length, 'attempt')} in ${formatCount(timeline.lanes.length, 'lane')}`,
      'aria-describedby': 'timeline-keys',
    });
    this.#scroller.append(this.#picture);
    const hasWorkers = timeline.items.some(({ attempt }) => attempt.job !== undefined);
    this.element = h(
      'div',
      { class: 'timeline' },
      h(
        'div',
        {
          class: hasWorkers ? 'timeline-names is-workers' : 'timeline-names',
          'aria-hidden': 'true',
        },
        ...timeline.laneNames.map((lane) => h('span', { title: revealInLine(lane) }, name(lane))),
      ),
      this.#scroller,
      this.#tip,
    );
    this.#listen();
  }

  zoom(factor: number): void {
    const widest = Math.max(1, GREATEST_WIDTH / Math.max(1, this.#scroller.clientWidth));
    this.#zoom = factor === 0 ? 1 : Math.max(1, Math.min(widest, this.#zoom * factor));
    this.update();
    if (this.#active !== undefined) this.#bringIntoView(this.#active);
  }

  #listen(): void {
    // The update waits for the next frame: it changes the observed size, which would call the observer again.
    new ResizeObserver(() => requestAnimationFrame(() => this.update())).observe(this.#scroller);
    this.#scroller.addEventListener('scroll', () => this.#drawLabels(), { passive: true });
    this.#picture.addEventListener('pointermove', (event) => this.#onPointer(event));
    this.#picture.addEventListener('pointerleave', () => this.#onFocusChange());
    this.#picture.addEventListener('click', (event) => this.#onClick(event));
    this.#picture.addEventListener('keydown', (event) => this.#onKey(event));
    this.#picture.addEventListener('focusin', () => this.#onFocusChange());
    this.#picture.addEventListener('focusout', () => this.#onFocusChange());
  }

  /** Lays out the timeline for its width. Call it once the element is in the page; later the observer calls it. */
  update(): void {
    const width = Math.floor(this.#scroller.clientWidth * this.#zoom);
    if (width === 0 || width === this.#layout.width) return;
    const hadFocus = this.#activeLink !== undefined && document.activeElement === this.#activeLink;
    this.#layout = layOutTimeline(this.#timeline, width);
    this.#bars = this.#layout.lanes.map(chooseBars);
    this.#attemptsOf = groupRetried(this.#layout);
    this.#picture.setAttribute('width', String(width));
    this.#picture.setAttribute('height', String(heightOf(this.#layout)));
    this.element.style.setProperty('--lane-height', `${this.#layout.laneHeight}px`);
    this.#picture.replaceChildren(
      drawPicture(this.#layout, this.#bars, [...this.#attemptsOf.values()]),
      this.#labels,
      this.#stepRetries,
      this.#stepBars,
    );
    this.#drawLabels();
    const { laneIndex = 0, index = 0 } = this.#active ?? {};
    const active = this.#layout.lanes[laneIndex]?.[index];
    if (active !== undefined) this.#activate(active, hadFocus);
  }

  #drawLabels(): void {
    const { scrollLeft, clientWidth } = this.#scroller;
    const labels = drawLabels(this.#bars, scrollLeft, scrollLeft + clientWidth);
    this.#labels.replaceWith(labels);
    this.#labels = labels;
  }

  /** Creates a new link for an attempt: screen readers announce an element that gets the focus, not one that changes. */
  #activate(positioned: PositionedItem, takesFocus: boolean): void {
    const before = this.#activeLink;
    this.#active = positioned;
    this.#activeLink = svg(
      'a',
      {
        class: 'timeline-item',
        href: formatRoute({ view: 'step', id: positioned.item.step.id }),
        tabindex: 0,
        'aria-label': labelOf(positioned.item),
      },
      svg('rect', {
        x: positioned.x,
        y: positioned.y,
        width: Math.max(positioned.width, 4),
        height: positioned.height,
      }),
    );
    this.#picture.append(this.#activeLink);
    if (takesFocus) this.#activeLink.focus({ preventScroll: true });
    before?.remove();
    if (takesFocus) this.#bringIntoView(positioned);
  }

  #bringIntoView({ x, width }: PositionedItem): void {
    const { scrollLeft, clientWidth } = this.#scroller;
    const isInside = x >= scrollLeft && x + width <= scrollLeft + clientWidth;
    if (!isInside) this.#scroller.scrollLeft = x + width / 2 - clientWidth / 2;
    if (document.activeElement === this.#activeLink) this.#onFocusChange();
  }

  #findAt({ clientX, clientY }: MouseEvent): PositionedItem | undefined {
    const { left, top } = this.#picture.getBoundingClientRect();
    const lane = this.#layout.lanes[Math.floor((clientY - top) / this.#layout.laneHeight)];
    return lane === undefined ? undefined : findItemAt(lane, clientX - left, REACH);
  }

  #onPointer(event: PointerEvent): void {
    const found = this.#findAt(event);
    this.#picture.classList.toggle('is-over', found !== undefined);
    if (found === undefined) this.#onFocusChange();
    else this.#showTip(found);
  }

  #onClick(event: MouseEvent): void {
    const found = this.#findAt(event);
    // Enter on the link is a click without a position (`detail` is 0): the browser follows the link.
    if (found === undefined || event.detail === 0) return;
    event.preventDefault();
    this.#activate(found, true);
    location.hash = formatRoute({ view: 'step', id: found.item.step.id });
  }

  #onFocusChange(): void {
    const hasFocus = this.#active !== undefined && document.activeElement === this.#activeLink;
    if (hasFocus && this.#active !== undefined) this.#showTip(this.#active);
    else this.#hideTip();
  }

  #showTip(positioned: PositionedItem): void {
    const attempts = this.#attemptsOf.get(positioned.item.step.id) ?? [positioned];
    this.#stepBars.setAttribute('d', attempts.map(drawBar).join('') + drawMergesOf(attempts));
    this.#stepRetries.setAttribute('d', drawRetries(attempts));
    this.#tip.replaceChildren(...tipOf(positioned.item).filter((child) => child instanceof Node));
    this.#tip.hidden = false;
    const room = this.element.clientWidth - this.#tip.offsetWidth;
    const left = positioned.x - this.#scroller.scrollLeft + this.#scroller.offsetLeft;
    this.#tip.style.left = `${Math.max(0, Math.min(room, left))}px`;
    this.#tip.style.top = `${this.#scroller.offsetTop + positioned.y + positioned.height + 6}px`;
  }

  #hideTip(): void {
    this.#tip.hidden = true;
    this.#stepBars.setAttribute('d', '');
    this.#stepRetries.setAttribute('d', '');
  }

  #onKey(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape') this.#hideTip();
    else if (event.key === '+' || event.key === '=') this.zoom(2);
    else if (event.key === '-') this.zoom(0.5);
    else {
      const target = this.#findTarget(event.key);
      if (target === undefined) return;
      this.#activate(target, true);
    }
    event.preventDefault();
  }

  #findTarget(key: string): PositionedItem | undefined {
    const active = this.#active;
    if (active === undefined) return undefined;
    const { lanes } = this.#layout;
    const lane = lanes[active.laneIndex] ?? [];
    const middle = active.x + active.width / 2;
    switch (key) {
      case 'ArrowRight':
        return lane[active.index + 1] ?? active;
      case 'ArrowLeft':
        return lane[active.index - 1] ?? active;
      case 'ArrowDown':
        return findNearest(lanes[active.laneIndex + 1] ?? [], middle) ?? active;
      case 'ArrowUp':
        return findNearest(lanes[active.laneIndex - 1] ?? [], middle) ?? active;
      case 'Home':
        return lane[0];
      case 'End':
        return lane.at(-1);
      default:
        return undefined;
    }
  }
}
