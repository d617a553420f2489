import { isShown } from '../../tmux/is-shown.js';
import { parseTurn, type Screen, type ScreenTurn } from '../../tmux/parse-screen.js';
import type { TmuxPane } from '../../tmux/tmux-pane.js';

/** Lines above the screen in which the prompt of the turn is searched. */
const LOOK_BACK_LINES = 2_000;

/** Reads from a pane what the model is writing. */
export class LiveText {
  readonly #pane: TmuxPane;
  readonly #isLogged: (text: string) => boolean;

  /** @param isLogged true for a text of the screen that the log of the session has already */
  constructor(pane: TmuxPane, isLogged: (text: string) => boolean) {
    this.#pane = pane;
    this.#isLogged = isLogged;
  }

  /**
   * Returns the texts of the present turn that the log does not have yet. A text stands on the screen until the end of the turn, and in
   * the log as soon as it is complete.
   *
   * @param prompt prompt of the turn, if a hook has reported it
   */
  async read({ turn: visible }: Screen, prompt: string | undefined): Promise<string> {
    const turn = visible ?? (await this.#lookBack());
    if (turn === undefined || !isPresent(turn, prompt)) return '';
    return turn.answers.filter((text) => !this.#isLogged(text)).join('\n\n');
  }

  /** Reads a turn whose prompt has scrolled away. */
  async #lookBack(): Promise<ScreenTurn | undefined> {
    return parseTurn(await this.#pane.text(LOOK_BACK_LINES).catch(() => ''));
  }
}

/** True for the turn that runs now. While the CLI draws its screen again, an earlier one is the last on the screen. */
function isPresent({ prompt: shown }: ScreenTurn, prompt: string | undefined): boolean {
  return prompt === undefined || !/\p{L}/u.test(prompt) || isShown(prompt, shown);
}
