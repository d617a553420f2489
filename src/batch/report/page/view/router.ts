import {
  ALL_FILES,
  ALL_STEPS,
  type BaseRoute,
  type DetailRoute,
  formatRoute,
  isDetail,
  parseRoute,
} from '../model/route.js';

/** Where the reader is: what fills the page, and what lies over it. */
export interface RoutePosition {
  readonly base: BaseRoute;
  readonly detail?: DetailRoute | undefined;
}

/** Kept with each entry of the browser's history. */
interface Mark {
  /** How many entries back the panel was opened; `NOTHING_BEFORE` where the page began with it. */
  readonly depth: number;
  readonly base: string;
}

const NOTHING_BEFORE = -1;

/** The address is the state: links and the back button are all there is to navigation. */
export class Router {
  readonly #show: (position: RoutePosition) => void;
  #mark: Mark | undefined;

  constructor(show: (position: RoutePosition) => void) {
    this.#show = show;
    window.addEventListener('hashchange', () => this.#arrive());
  }

  start(): void {
    this.#arrive();
  }

  /** Goes on from here without a new entry in the history, as while typing. */
  replace(route: BaseRoute): void {
    history.replaceState(null, '', formatRoute(route));
    this.#arrive();
  }

  /** Back to before the panel was opened; a page that began with the panel has nothing before it. */
  closeDetail(): void {
    // The address may be ahead of what is shown.
    if (readMark(history.state) === undefined) this.#arrive();
    if (this.#mark === undefined || !isDetail(parseRoute(location.hash))) return;
    const { depth, base } = this.#mark;
    if (depth !== NOTHING_BEFORE) {
      history.go(-depth);
      return;
    }
    history.replaceState(null, '', base);
    this.#arrive();
  }

  #arrive(): void {
    const route = parseRoute(location.hash);
    const known = readMark(history.state);
    if (known === undefined) {
      const mark = this.#markOf(route);
      history.replaceState(mark, '');
      this.#mark = mark;
    } else this.#mark = known;
    this.#show(isDetail(route) ? { base: this.#findBase(), detail: route } : { base: route });
  }

  #findBase(): BaseRoute {
    const base = parseRoute(this.#mark?.base ?? '');
    return isDetail(base) ? ALL_STEPS : base;
  }

  #markOf(route: BaseRoute | DetailRoute): Mark {
    if (!isDetail(route)) return { depth: 0, base: formatRoute(route) };
    if (this.#mark === undefined) {
      const base = formatRoute(route.view === 'step' ? ALL_STEPS : ALL_FILES);
      return { depth: NOTHING_BEFORE, base };
    }
    const { depth, base } = this.#mark;
    return { depth: depth === NOTHING_BEFORE ? depth : depth + 1, base };
  }
}

function readMark(state: unknown): Mark | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  if (!('depth' in state) || !('base' in state)) return undefined;
  const { depth, base } = state;
  return typeof depth === 'number' && typeof base === 'string' ? { depth, base } : undefined;
}
