import { part } from './element.js';

const TYPING_PAUSE_MS = 90;

/** Search field in the head of the page. Calls `onQuery` when typing pauses. */
export class SearchBox {
  readonly #input = part('search', HTMLInputElement);

  constructor(onQuery: (query: string) => void) {
    let pending: ReturnType<typeof setTimeout> | undefined;
    const submit = (): void => {
      clearTimeout(pending);
      onQuery(this.#input.value);
    };
    this.#input.addEventListener('input', () => {
      clearTimeout(pending);
      pending = setTimeout(submit, TYPING_PAUSE_MS);
    });
    this.#input.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') submit();
      if (event.key !== 'Escape') return;
      event.preventDefault();
      if (this.#input.value === '') return this.#input.blur();
      this.#input.value = '';
      submit();
    });
  }

  focus(): void {
    this.#input.focus();
    this.#input.select();
  }

  /**
   * Shows the query of the URL hash. While the user types, the field is newer than the hash and keeps its text, unless
   * the query is empty.
   */
  show(query: string): void {
    if (query === '' || document.activeElement !== this.#input) this.#input.value = query;
  }
}
