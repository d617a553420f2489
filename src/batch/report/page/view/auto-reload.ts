const PERIOD_MS = 15_000;
/** Time without keys, clicks and scrolling after which the reader is not in the middle of something. */
const IDLE_MS = 5_000;
const STORAGE_KEY = 'report-reload';
const SCROLL_KEY = 'scrollY';

/**
 * Reloads the page of a running batch, so that it shows newer data. The view stays, because it is in the URL, and so
 * does the scroll position. Nothing is reloaded while the page is hidden, a panel is open, a text is selected or the
 * reader is at work.
 */
export class AutoReload {
  #isOn: boolean;
  #lastActMs = 0;

  constructor(isRunning: boolean) {
    this.#isOn = recall() !== 'off';
    if (!isRunning) return;
    for (const type of ['keydown', 'pointerdown', 'wheel', 'touchmove'])
      addEventListener(type, () => this.#noteAct(), { passive: true });
    setInterval(() => this.#tick(), PERIOD_MS);
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  setOn(isOn: boolean): void {
    this.#isOn = isOn;
    remember(isOn ? 'on' : 'off');
  }

  now(): void {
    history.replaceState({ ...stateObject(), [SCROLL_KEY]: window.scrollY }, '');
    location.reload();
  }

  #noteAct(): void {
    this.#lastActMs = performance.now();
  }

  #tick(): void {
    const isBusy =
      document.hidden ||
      document.querySelector('dialog[open]') !== null ||
      getSelection()?.isCollapsed === false ||
      performance.now() - this.#lastActMs < IDLE_MS;
    if (this.#isOn && !isBusy) this.now();
  }
}

/** Returns the scroll position before the reload, once. */
export function takeScroll(): number | undefined {
  const { [SCROLL_KEY]: scrolled, ...rest } = stateObject();
  if (typeof scrolled !== 'number') return undefined;
  history.replaceState(Object.keys(rest).length === 0 ? null : rest, '');
  return scrolled;
}

function stateObject(): Record<string, unknown> {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null ? { ...state } : {};
}

/** Reads the stored choice. Some browsers refuse storage to a page that was opened from a file. */
function recall(): string | null {
  try {
    return sessionStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

function remember(choice: string): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, choice);
  } catch {
    // Without storage the choice lasts until the next reload.
  }
}
