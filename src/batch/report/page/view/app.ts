import { formatNumber } from '../../../../web/model/format.js';
import { h, part } from '../../../../web/view/element.js';
import { SearchBox } from '../../../../web/view/search-box.js';
import type { PageModel } from '../model/page-model.js';
import {
  ALL_FILES,
  ALL_STEPS,
  type BaseRoute,
  type DetailRoute,
  formatRoute,
  OVERVIEW,
} from '../model/route.js';
import { createSearchIndex } from '../model/search.js';
import { createTimeline } from '../model/timeline.js';
import { AutoReload, takeScroll } from './auto-reload.js';
import { detailContent } from './detail.js';
import { Drawer } from './drawer.js';
import { filesView } from './files-view.js';
import { link } from './name.js';
import { overview } from './overview.js';
import { type RoutePosition, Router } from './router.js';
import { stepsView } from './steps-view.js';
import type { View } from './view.js';

/** Connects the views, the panel, the search field and the URL hash. */
export class App {
  readonly #model: PageModel;
  readonly #main = part('view', HTMLElement);
  readonly #nav = part('nav', HTMLElement);
  readonly #news = part('news', HTMLElement);
  readonly #search;
  readonly #timeline;
  readonly #reload;
  readonly #router = new Router((position) => this.#show(position));
  readonly #drawer = new Drawer(() => this.#router.closeDetail());
  readonly #searchBox = new SearchBox((query) => this.#find(query));
  #base: BaseRoute = OVERVIEW;
  #detail: DetailRoute | undefined;
  #view: View | undefined;
  #searchesAfterClose = false;
  readonly #scrolledTo = new Map<BaseRoute['view'], number>();

  constructor(model: PageModel) {
    this.#model = model;
    this.#search = createSearchIndex(model);
    this.#timeline = createTimeline(model.report);
    this.#reload = new AutoReload(model.report.outcome === 'running');
  }

  start(): void {
    // The browser's own scroll restoration comes too early: the view is built later.
    history.scrollRestoration = 'manual';
    document.addEventListener('keydown', (event) => this.#onKey(event));
    const scrolled = takeScroll();
    this.#router.start();
    if (scrolled !== undefined) window.scrollTo(0, scrolled);
  }

  #show({ base, detail }: RoutePosition): void {
    const isOther = this.#view === undefined || formatRoute(base) !== formatRoute(this.#base);
    const opened = this.#detail;
    this.#detail = detail;
    if (isOther) this.#showBase(base);
    if (detail !== undefined) {
      this.#drawer.open(detailContent(this.#model, this.#search, base, detail));
      this.#bringChangeIntoView(opened);
    } else if (this.#drawer.isOpen) this.#closeDrawer(opened);
  }

  #showBase(base: BaseRoute): void {
    const before = this.#base.view;
    const successor = findSuccessor(this.#main);
    this.#scrolledTo.set(before, window.scrollY);
    this.#base = base;
    this.#view?.dispose?.();
    this.#view = this.#createView(base);
    this.#main.replaceChildren(this.#view.element);
    this.#view.attach?.();
    this.#showNav(base);
    this.#searchBox.show(queryOf(base));
    if (base.view !== before) window.scrollTo(0, this.#scrolledTo.get(base.view) ?? 0);
    if (successor !== undefined) {
      const successorElement = this.#main.querySelector<HTMLElement>(successor) ?? this.#main;
      successorElement.focus({ preventScroll: true });
    }
  }

  #createView(base: BaseRoute): View {
    switch (base.view) {
      case 'steps':
        return stepsView(this.#search, base);
      case 'files':
        return filesView(this.#search, base);
      case 'overview':
        return overview(this.#model, this.#timeline, this.#reload);
    }
  }

  /** Shows the navigation. During a search, its counts are the matches in each list. */
  #showNav(base: BaseRoute): void {
    const query = queryOf(base);
    const steps = this.#search.findSteps(query).length;
    const files = this.#search.findFiles(query).length;
    const entry = (route: BaseRoute, label: string, count?: number): HTMLElement =>
      link(
        route,
        { 'aria-current': route.view === base.view ? 'page' : undefined },
        `${label} `,
        count !== undefined && h('span', { class: 'count' }, formatNumber(count)),
      );
    const hadFocus = this.#nav.contains(document.activeElement);
    this.#nav.replaceChildren(
      entry(OVERVIEW, 'Overview'),
      entry({ ...ALL_STEPS, query }, 'Steps', steps),
      entry({ ...ALL_FILES, query }, 'Files', files),
    );
    if (hadFocus) this.#nav.querySelector<HTMLElement>('[aria-current]')?.focus();
    this.#news.textContent =
      query === '' ? '' : `${formatNumber(steps)} steps and ${formatNumber(files)} files found`;
  }

  #find(query: string): void {
    if (query === queryOf(this.#base)) return;
    if (this.#base.view === 'overview') {
      const isOnlyInFiles = this.#search.findSteps(query).length === 0;
      location.hash = formatRoute({ ...(isOnlyInFiles ? ALL_FILES : ALL_STEPS), query });
    } else this.#router.replace({ ...this.#base, query });
  }

  #closeDrawer(closed: DetailRoute | undefined): void {
    const isBack = this.#drawer.close();
    const key = closed?.view === 'step' ? closed.id : closed?.path;
    if (!isBack && key !== undefined && this.#view?.focusEntry?.(key) !== true) this.#main.focus();
    if (this.#searchesAfterClose) this.#searchBox.focus();
    this.#searchesAfterClose = false;
  }

  /** Scrolls to the change by a step if the file was opened from that step. */
  #bringChangeIntoView(before: DetailRoute | undefined): void {
    if (this.#detail?.view !== 'file' || before?.view !== 'step') return;
    const change = document.querySelector(`[data-step="${CSS.escape(before.id)}"]`);
    if (change?.previousElementSibling) change.scrollIntoView({ block: 'start' });
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement)
      return;
    event.preventDefault();
    if (this.#drawer.isOpen) {
      this.#searchesAfterClose = true;
      this.#router.closeDetail();
    } else this.#searchBox.focus();
  }
}

/**
 * Returns the selector of the element that gets the focus after the view is replaced; undefined if the focus is
 * outside the view.
 */
function findSuccessor(main: HTMLElement): string | undefined {
  const focused = document.activeElement;
  if (focused === null || focused === main || !main.contains(focused)) return undefined;
  if (focused.closest('.filters') !== null) return '.filters [aria-current]';
  return focused.matches('select') ? 'select' : 'h2';
}

function queryOf(base: BaseRoute): string {
  return base.view === 'overview' ? '' : base.query;
}
