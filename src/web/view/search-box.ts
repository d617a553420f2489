import { part } from './element.js';

const QUIET_MS = 90;

/** The field in the head of the page. `onQuery` is called once the typing pauses. */
export class SearchBox {
  readonly #input = part('search', HTMLInputElement);

  constructor(onQuery: (query: string) => void) {
    let pending: ReturnType<typeof setTimeout> | undefined;
    const tell = (): void => {
      clearTimeout(pending);
      onQuery(this.#input.value);
    };
    this.#input.addEventListener('input', () => {
      clearTimeout(pending);
      pending = setTimeout(tell, QUIET_MS);
    });
    this.#input.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') tell();
      if (event.key !== 'Escape') return;
      event.preventDefault();
      if (this.#input.value === '') return this.#input.blur();
      this.#input.value = '';
      tell();
    });
  }

  focus(): void {
    this.#input.focus();
    this.#input.select();
  }

  /** What the address says. Who is typing is ahead of it, unless the search has been left. */
  show(query: string): void {
    if (query === '' || document.activeElement !== this.#input) this.#input.value = query;
  }
}
