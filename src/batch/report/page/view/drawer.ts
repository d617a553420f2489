import { button, type Child, h, part } from '../../../../web/view/element.js';
import type { DetailRoute } from '../model/route.js';
import { link } from './name.js';

export interface DrawerContent {
  readonly title: Child;
  readonly children: readonly Child[];
  readonly previous?: DetailRoute | undefined;
  readonly next?: DetailRoute | undefined;
}

/** Panel over the page, a modal `<dialog>`: the browser keeps the focus inside and blocks the page behind. */
export class Drawer {
  readonly #dialog = part('drawer', HTMLDialogElement);
  readonly #onClose: () => void;
  #opener: Element | null = null;

  constructor(onClose: () => void) {
    this.#onClose = onClose;
    this.#dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      onClose();
    });
    // A second Escape closes the dialog although `cancel` was prevented. The event comes late: the panel may be open
    // again.
    this.#dialog.addEventListener('close', () => {
      if (this.#opener !== null && !this.#dialog.open) onClose();
    });
    this.#dialog.addEventListener('click', ({ target }) => {
      if (target === this.#dialog) onClose();
    });
  }

  get isOpen(): boolean {
    return this.#dialog.open;
  }

  open(content: DrawerContent): void {
    const pressed = document.activeElement?.getAttribute('data-move');
    const body = h('div', { class: 'drawer-body' }, ...content.children);
    const title = h('h2', { id: 'drawer-title', tabindex: -1 }, content.title);
    const moves = [move('previous', '↑', content.previous), move('next', '↓', content.next)];
    const close = button('✕', () => this.#onClose(), { 'aria-label': 'Close', class: 'close' });
    const frame = h(
      'div',
      { class: 'drawer-frame' },
      h('div', { class: 'drawer-head' }, title, ...moves, close),
      body,
    );
    if (!this.#dialog.open) this.#opener = document.activeElement ?? document.body;
    this.#dialog.replaceChildren(frame);
    if (!this.#dialog.open) this.#dialog.showModal();
    // After `previous` or `next` the focus stays on that link, so that it can be pressed again.
    const stays = moves.find(
      (entry) => entry.dataset['move'] === pressed && entry.hasAttribute('href'),
    );
    (stays ?? title).focus({ preventScroll: true });
  }

  /** Closes the panel. True if the browser gave the focus back to the element that had it before. */
  close(): boolean {
    const opener = this.#opener;
    this.#opener = null;
    this.#dialog.close();
    this.#dialog.replaceChildren();
    return opener !== document.body && document.activeElement === opener;
  }
}

function move(direction: 'previous' | 'next', sign: string, route: DetailRoute | undefined) {
  const attributes = { class: 'move', 'data-move': direction, 'aria-label': direction };
  if (route !== undefined) return link(route, attributes, sign);
  return h('a', { ...attributes, role: 'link', 'aria-disabled': 'true' }, sign);
}
