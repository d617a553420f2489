import { randomUUID } from 'node:crypto';
import { refusal } from '../session/refusal.js';
import { type KeyGuard, renderGuard } from './key-guard.js';
import { parseScreen, parseTitle, type Screen } from './parse-screen.js';
import type { RunTmux } from './run-tmux.js';
import { toPaste } from './tmux-text.js';

/** What a pane shows at one moment. */
export interface PaneView {
  readonly screen: Screen;
  readonly state: ReturnType<typeof parseTitle>;
  readonly isDead: boolean;
  /** Why no key can be sent to the pane. */
  readonly problem: string | undefined;
}

/** Names of keys that are sent to a pane. Nothing else is ever typed. */
export type PaneKey =
  | ('Enter' | 'Escape' | 'BTab' | 'C-y' | 'BSpace' | 'Tab' | 'Down' | '.')
  | `${number}`;

const SEPARATOR = '\u001f';
const FACTS = ['pane_dead', 'pane_synchronized', 'pane_input_off', 'pane_title']
  .map((name) => `#{${name}}`)
  .join(SEPARATOR);
const NOT_PRESSED = 'not-pressed';

/** A pane of tmux in which the CLI runs. */
export class TmuxPane {
  readonly id: string;
  /** True for a pane of our own server, whose first process is the CLI. */
  readonly isOwn: boolean;
  readonly #run: RunTmux;
  #acting: Promise<unknown> = Promise.resolve();
  #isCliInFront: () => boolean = () => true;

  /** @param id id of the pane in its server, such as `%7` */
  constructor(run: RunTmux, id: string, isOwn = false) {
    if (!/^%\d+$/.test(id)) throw refusal('The id of the tmux pane is not valid');
    this.#run = run;
    this.id = id;
    this.isOwn = isOwn;
  }

  /** Says how it is known that the CLI gets the keys of the pane. Without the function, the screen alone tells. */
  watchCli(isInFront: () => boolean): void {
    this.#isCliInFront = isInFront;
  }

  /** Reads title and screen at one moment. */
  async look(): Promise<PaneView> {
    const answer = await this.#run([
      ...['display-message', '-p', '-t', this.id, FACTS, ';'],
      ...['capture-pane', '-p', '-t', this.id],
    ]);
    const end = answer.indexOf('\n');
    const [dead, synchronized, inputOff, title = ''] = answer.slice(0, end).split(SEPARATOR);
    return {
      screen: parseScreen(answer.slice(end + 1)),
      state: parseTitle(title),
      isDead: dead === '1',
      problem: describeProblem(synchronized === '1', inputOff === '1'),
    };
  }

  /**
   * Reads the screen as text, with lines that have scrolled away.
   * @param lines how many of them; all if absent
   */
  text(lines?: number): Promise<string> {
    const start = lines === undefined ? '-' : String(-lines);
    return this.#run(['capture-pane', '-p', '-S', start, '-t', this.id]);
  }

  /**
   * Presses a key if the pane shows what the guard names, and returns whether it was pressed. A pane in which the person reads
   * earlier lines is brought back first: it would take the key for itself. Throws INVALID_INPUT if the CLI is not in front.
   */
  async press(key: PaneKey, guard: KeyGuard): Promise<boolean> {
    this.assertInFront();
    const leave = `if-shell -F -t ${this.id} '#{pane_in_mode}' 'copy-mode -q -t ${this.id}'`;
    const answer = await this.#run([
      ...['if-shell', '-F', '-t', this.id, renderGuard(guard)],
      `${leave} ; send-keys -t ${this.id} ${key}`,
      `display-message -p ${NOT_PRESSED}`,
    ]);
    return !answer.includes(NOT_PRESSED);
  }

  /**
   * Pastes a text in brackets, so that the CLI takes it as text: typed, a `!` in it would switch to shell mode and run the
   * rest as a command. Throws INVALID_INPUT if the CLI is not in front.
   */
  async paste(text: string): Promise<void> {
    this.assertInFront();
    const buffer = `gemini-cli-provider-${randomUUID()}`;
    await this.#run(['load-buffer', '-b', buffer, '-'], toPaste(text));
    await this.#run(['paste-buffer', '-p', '-r', '-d', '-b', buffer, '-t', this.id]);
  }

  /**
   * Throws INVALID_INPUT if the CLI does not get the keys. The screen of a CLI that was stopped or killed stays, and a shell takes the
   * keys: it would run each line of a pasted text.
   */
  assertInFront(): void {
    if (this.#isCliInFront()) return;
    throw refusal(
      'The CLI is not in the foreground of its terminal: no key is sent',
      'Bring it back at the desk, for example with fg.',
    );
  }

  /** Runs an action that presses keys. One such action runs at a time. */
  exclusive<T>(action: () => Promise<T>): Promise<T> {
    const acted = this.#acting.then(action, action);
    this.#acting = acted.catch(() => {});
    return acted;
  }

  /** Waits until no action presses keys. A dialog must not open before: it would get the key. */
  async settled(): Promise<void> {
    await this.#acting;
  }

  /** Process id of the program with which the pane was opened. */
  async pid(): Promise<number | undefined> {
    const pid = Number(
      (await this.#run(['display-message', '-p', '-t', this.id, '#{pane_pid}'])).trim(),
    );
    return Number.isInteger(pid) && pid > 1 ? pid : undefined;
  }

  /** Writes the id of the CLI's session into an option of the pane, by which a later server finds the session again. */
  async mark(option: string, cliSessionId: string): Promise<void> {
    await this.#run(['set-option', '-p', '-t', this.id, option, cliSessionId]);
  }
}

function describeProblem(isSynchronized: boolean, isInputOff: boolean): string | undefined {
  if (isSynchronized)
    return 'The pane shares its keys with other panes (synchronize-panes of tmux): no key is sent.';
  return isInputOff ? 'The input of the pane is off (select-pane -d of tmux).' : undefined;
}
