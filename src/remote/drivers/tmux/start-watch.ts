import type { PaneView } from '../../tmux/tmux-pane.js';

/** Time with an input box on the screen after which a CLI counts as started although no hook has come: hooks may be turned off. */
const NO_HOOK_MS = 15_000;

/**
 * Knows whether a CLI that was started a moment ago listens. The CLI draws its input box up to some seconds before: an Enter is
 * swallowed then, and a session that is resumed loses the text, too. The first hook tells that the CLI listens.
 */
export class StartWatch {
  readonly #now: () => number;
  #isOver: boolean;
  #endedPid: number | undefined;
  #shownSinceMs: number | undefined;

  /**
   * @param isStarting false for a CLI that ran before
   * @param now monotonic time in milliseconds
   */
  constructor(isStarting: boolean, now: () => number = () => performance.now()) {
    this.#isOver = !isStarting;
    this.#now = now;
  }

  /** A hook has come. */
  end(): void {
    this.#isOver = true;
  }

  /** The CLI has ended, and its pane is still there: it starts again, for example after the question about trust. */
  restart(endedPid: number): void {
    if (endedPid === this.#endedPid) return;
    this.#endedPid = endedPid;
    this.#shownSinceMs = undefined;
    this.#isOver = false;
  }

  /** Looks at the pane. True while the CLI may not listen yet. */
  isStarting({ screen }: PaneView): boolean {
    if (this.#isOver) return false;
    if (screen.input === undefined) this.#shownSinceMs = undefined;
    else this.#shownSinceMs ??= this.#now();
    if (this.#shownSinceMs !== undefined && this.#now() - this.#shownSinceMs > NO_HOOK_MS)
      this.#isOver = true;
    return !this.#isOver;
  }
}
