import type { PaneView } from '../../tmux/tmux-pane.js';
import { isAtWork } from './pane-actions.js';

/** Time after which a CLI that never showed that it works has dealt with a prompt: a turn may fail before the screen is drawn. */
const UNSEEN_MS = 30_000;

/**
 * Knows whether a turn of the CLI runs. The screen alone does not tell: after a long prompt, the CLI reports the prompt by its hook
 * many seconds before it draws its screen again, and the old screen looks idle. So a turn is over only if the screen has shown work
 * since the hook, or if a hook or the session file has told the end.
 */
export class TurnWatch {
  readonly #now: () => number;
  /** Time of the hook that has reported the prompt of the turn. Undefined while no turn is known. */
  #begunMs: number | undefined;
  #hasWorked = false;

  /** @param now monotonic time in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A hook has reported a prompt. */
  begin(): void {
    this.#begunMs = this.#now();
    this.#hasWorked = false;
  }

  /** A hook or the session file has told that the turn is over. The screen may show work for a moment longer. */
  end(): void {
    this.#begunMs = undefined;
  }

  /** Looks at the pane. True while a turn runs. */
  isRunning(view: PaneView): boolean {
    if (isAtWork(view)) {
      this.#hasWorked = true;
      return true;
    }
    if (this.#begunMs === undefined) return false;
    const isOver = this.#hasWorked || this.#now() - this.#begunMs > UNSEEN_MS;
    if (isOver && view.screen.input !== undefined) this.#begunMs = undefined;
    return this.#begunMs !== undefined;
  }
}
