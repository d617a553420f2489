import { h } from './element.js';

export interface VirtualListOptions<T> {
  readonly items: readonly T[];
  readonly label: string;
  /** Row height in `rem`, so that rows grow with the font size. */
  readonly rowHeightRem: number;
  /** Renders the link that fills the row. */
  renderRow(item: T): HTMLAnchorElement;
}

/** Number of rows above and below the visible ones. */
const SPARE_ROWS = 8;

/**
 * List of links that creates only the visible rows. The list scrolls with the page. One row is in the tab order; the
 * arrow keys, Home, End, PageUp and PageDown select another row.
 */
export class VirtualList<T> {
  readonly element: HTMLElement;
  readonly #options: VirtualListOptions<T>;
  readonly #rowHeight: number;
  readonly #rows = new Map<number, HTMLElement>();
  readonly #listening = new AbortController();
  #active = 0;
  #isPrinting = false;

  constructor(options: VirtualListOptions<T>) {
    this.#options = options;
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    this.#rowHeight = Math.round(options.rowHeightRem * rem);
    this.element = h('div', { class: 'rows', role: 'list', 'aria-label': options.label });
    this.element.style.height = `${options.items.length * this.#rowHeight}px`;
    this.element.style.setProperty('--row-height', `${this.#rowHeight}px`);
    this.element.addEventListener('keydown', (event) => this.#onKey(event));
    this.element.addEventListener('focusin', ({ target }) => this.#onFocus(target));
    const { signal } = this.#listening;
    window.addEventListener('scroll', () => this.update(), { signal, passive: true });
    window.addEventListener('resize', () => this.update(), { signal });
    window.addEventListener('beforeprint', () => this.#setPrinting(true), { signal });
    window.addEventListener('afterprint', () => this.#setPrinting(false), { signal });
  }

  dispose(): void {
    this.#listening.abort();
  }

  /** Creates the visible rows and removes the others. Call it once the element is in the page. */
  update(): void {
    const wanted = this.#findWanted();
    for (const [index, row] of this.#rows) {
      if (wanted.has(index)) continue;
      row.remove();
      this.#rows.delete(index);
    }
    // Rows that stay are not moved, because moving the focused row would take its focus away.
    let following = this.element.firstElementChild;
    for (const index of [...wanted].sort((one, other) => one - other)) {
      const row = this.#rows.get(index);
      if (row === undefined) this.element.insertBefore(this.#createRow(index), following);
      else following = row.nextElementSibling;
    }
  }

  focus(index: number): void {
    const last = this.#options.items.length - 1;
    this.#setActive(Math.max(0, Math.min(last, index)));
    this.update();
    const link = this.#rows.get(this.#active)?.firstElementChild;
    if (!(link instanceof HTMLElement)) return;
    link.scrollIntoView({ block: 'nearest' });
    link.focus({ preventScroll: true });
    this.update();
  }

  #findWanted(): Set<number> {
    const count = this.#options.items.length;
    const { top } = this.element.getBoundingClientRect();
    const first = Math.floor(-top / this.#rowHeight) - SPARE_ROWS;
    const last = Math.ceil((window.innerHeight - top) / this.#rowHeight) + SPARE_ROWS;
    const from = this.#isPrinting ? 0 : Math.max(0, first);
    const until = this.#isPrinting ? count : Math.min(count, last);
    const wanted = new Set<number>();
    for (let index = from; index < until; index += 1) wanted.add(index);
    // The active row stays wherever the page is scrolled to, because it may have the focus.
    if (this.#active < count) wanted.add(this.#active);
    return wanted;
  }

  #createRow(index: number): HTMLElement {
    const item = this.#options.items[index];
    const row = h('div', {
      class: 'row',
      role: 'listitem',
      'aria-posinset': index + 1,
      'aria-setsize': this.#options.items.length,
    });
    if (item !== undefined) {
      const link = this.#options.renderRow(item);
      link.tabIndex = index === this.#active ? 0 : -1;
      row.append(link);
    }
    row.dataset['index'] = String(index);
    row.style.top = `${index * this.#rowHeight}px`;
    this.#rows.set(index, row);
    return row;
  }

  #setActive(index: number): void {
    for (const changed of [this.#active, index]) {
      const link = this.#rows.get(changed)?.firstElementChild;
      if (link instanceof HTMLElement) link.tabIndex = changed === index ? 0 : -1;
    }
    this.#active = index;
  }

  #setPrinting(isPrinting: boolean): void {
    this.#isPrinting = isPrinting;
    this.update();
  }

  #onFocus(target: EventTarget | null): void {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
    if (row !== null) this.#setActive(Number(row.dataset['index']));
  }

  #onKey(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const page = Math.max(1, Math.floor(window.innerHeight / this.#rowHeight) - 3);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: this.#active + 1,
      ArrowUp: this.#active - 1,
      PageDown: this.#active + page,
      PageUp: this.#active - page,
      Home: 0,
      End: this.#options.items.length - 1,
    };
    const target = moves[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.focus(target);
  }
}
