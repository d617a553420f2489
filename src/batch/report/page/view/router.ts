import {
  ALL_FILES,
  ALL_STEPS,
  type BaseRoute,
  type DetailRoute,
  formatRoute,
  isDetail,
  parseRoute,
} from '../model/route.js';

/** The view that fills the page and, if one is open, the panel over it. */
export interface RoutePosition {
  readonly base: BaseRoute;
  readonly detail?: DetailRoute | undefined;
}

/** State stored with each entry of the browser's history. */
interface HistoryState {
  /** Number of entries since the panel was opened; `NOTHING_BEFORE` if the page was opened with the panel. */
  readonly depth: number;
  /** Hash of the view behind the panel. */
  readonly base: string;
}

const NOTHING_BEFORE = -1;

/** Shows the route of the URL hash. Links and the back button are the only navigation. */
export class Router {
  readonly #show: (position: RoutePosition) => void;
  #state: HistoryState | undefined;

  constructor(show: (position: RoutePosition) => void) {
    this.#show = show;
    window.addEventListener('hashchange', () => this.#readHash());
  }

  start(): void {
    this.#readHash();
  }

  /** Shows a route without a new history entry, for example while the user types a query. */
  replace(route: BaseRoute): void {
    history.replaceState(null, '', formatRoute(route));
    this.#readHash();
  }

  /** Goes back to the entry before the panel. If the page was opened with the panel, replaces the entry instead. */
  closeDetail(): void {
    // The hash may have changed while its `hashchange` event is still pending.
    if (readHistoryState(history.state) === undefined) this.#readHash();
    if (this.#state === undefined || !isDetail(parseRoute(location.hash))) return;
    const { depth, base } = this.#state;
    if (depth !== NOTHING_BEFORE) {
      history.go(-depth);
      return;
    }
    history.replaceState(null, '', base);
    this.#readHash();
  }

  #readHash(): void {
    const route = parseRoute(location.hash);
    const known = readHistoryState(history.state);
    if (known === undefined) {
      const state = this.#createState(route);
      history.replaceState(state, '');
      this.#state = state;
    } else this.#state = known;
    this.#show(isDetail(route) ? { base: this.#findBase(), detail: route } : { base: route });
  }

  #findBase(): BaseRoute {
    const base = parseRoute(this.#state?.base ?? '');
    return isDetail(base) ? ALL_STEPS : base;
  }

  #createState(route: BaseRoute | DetailRoute): HistoryState {
    if (!isDetail(route)) return { depth: 0, base: formatRoute(route) };
    if (this.#state === undefined) {
      const base = formatRoute(route.view === 'step' ? ALL_STEPS : ALL_FILES);
      return { depth: NOTHING_BEFORE, base };
    }
    const { depth, base } = this.#state;
    return { depth: depth === NOTHING_BEFORE ? depth : depth + 1, base };
  }
}

function readHistoryState(state: unknown): HistoryState | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  if (!('depth' in state) || !('base' in state)) return undefined;
  const { depth, base } = state;
  return typeof depth === 'number' && typeof base === 'string' ? { depth, base } : undefined;
}
