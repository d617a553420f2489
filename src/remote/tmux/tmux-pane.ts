import { randomUUID } from 'node:crypto';
import { refusal } from '../session/refusal.js';
import { parseScreen, parseTitle, type Screen } from './parse-screen.js';
import type { RunTmux } from './run-tmux.js';
import { toPaste } from './tmux-text.js';

/** What a pane shows at one moment. */
export interface PaneView {
  readonly screen: Screen;
  readonly state: ReturnType<typeof parseTitle>;
  readonly isDead: boolean;
}

/** Names of keys that are sent to a pane. Nothing else is ever typed. */
export type PaneKey = 'Enter' | 'Escape' | 'BTab' | 'C-y' | 'BSpace' | 'Tab' | `${number}`;

const SEPARATOR = '\u001f';

/** A pane of tmux in which the CLI runs. */
export class TmuxPane {
  readonly id: string;
  readonly #run: RunTmux;

  /** @param id id of the pane in its server, such as `%7` */
  constructor(run: RunTmux, id: string) {
    if (!/^%\d+$/.test(id)) throw refusal('The id of the tmux pane is not valid');
    this.#run = run;
    this.id = id;
  }

  /** Reads title and screen. */
  async look(): Promise<PaneView> {
    const [facts, text] = await Promise.all([
      this.#run(['display-message', '-p', '-t', this.id, `#{pane_dead}${SEPARATOR}#{pane_title}`]),
      this.#run(['capture-pane', '-p', '-t', this.id]),
    ]);
    const [dead, title = ''] = facts.split(SEPARATOR);
    return { screen: parseScreen(text), state: parseTitle(title), isDead: dead === '1' };
  }

  /** Reads the screen as text, with the lines that have scrolled away. */
  text(): Promise<string> {
    return this.#run(['capture-pane', '-p', '-S', '-', '-t', this.id]);
  }

  async press(key: PaneKey): Promise<void> {
    await this.#run(['send-keys', '-t', this.id, key]);
  }

  /**
   * Pastes a text in brackets, so that the CLI takes it as text: typed, a `!` in it would switch to shell mode and run the
   * rest as a command.
   */
  async paste(text: string): Promise<void> {
    const buffer = `gemini-cli-provider-${randomUUID()}`;
    await this.#run(['load-buffer', '-b', buffer, '-'], toPaste(text));
    await this.#run(['paste-buffer', '-p', '-r', '-d', '-b', buffer, '-t', this.id]);
  }

  /** Process id of the program in the pane. */
  async pid(): Promise<number | undefined> {
    const pid = Number(
      (await this.#run(['display-message', '-p', '-t', this.id, '#{pane_pid}'])).trim(),
    );
    return Number.isInteger(pid) && pid > 1 ? pid : undefined;
  }
}
