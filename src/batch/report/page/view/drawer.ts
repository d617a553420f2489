import { button, type Child, h, part } from '../../../../web/view/element.js';
import type { DetailRoute } from '../model/route.js';
import { link } from './name.js';

export interface DrawerContent {
  readonly title: Child;
  readonly children: readonly Child[];
  readonly previous?: DetailRoute | undefined;
  readonly next?: DetailRoute | undefined;
}

/** The panel over the page. The browser itself keeps the focus inside and the page behind it still. */
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
    // A browser closes it by itself when Escape is pressed twice. The event comes late: it may be open again.
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
    // Who steps through the list by a button stays on it.
    const stays = moves.find(
      (entry) => entry.dataset['move'] === pressed && entry.hasAttribute('href'),
    );
    (stays ?? title).focus({ preventScroll: true });
  }

  /** The browser gives the focus back to what had it. False where that is gone, or was nothing. */
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
