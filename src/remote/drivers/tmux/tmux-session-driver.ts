import type { ApprovalMode } from '../../../api/provider-config.js';
import type { RemoteCapabilities } from '../../../api/remote-session.js';
import { sleep } from '../../../base/process/timing.js';
import { NO_CAPABILITIES } from '../../session/no-capabilities.js';
import { refusal } from '../../session/refusal.js';
import type { PaneView, TmuxPane } from '../../tmux/tmux-pane.js';
import { toPaste } from '../../tmux/tmux-text.js';
import type { OutgoingPrompt, SessionDriver, SessionSink } from '../session-driver.js';
import { deliverPrompt } from './deliver-prompt.js';
import { requireMode, sendCommand, untilReady, untilView } from './pane-actions.js';
import { findUnknownDialog, type UnknownDialog } from './unknown-dialog.js';

const POLL_MS = 200;
const KEY_MS = 100;
const CHANGE_MS = 2_500;
const QUIT_MS = 5_000;
const MODEL_MS = 10_000;
/** Looks without an input box, a dialog and a status line after which the screen counts as unknown. */
const UNKNOWN_LOOKS = 100;
const MODEL_NAME = /^[\w.:-]+$/;

const CONTROL: RemoteCapabilities = {
  ...NO_CAPABILITIES,
  prompt: true,
  allow: true,
  deny: true,
  interrupt: true,
  mode: true,
  model: true,
  liveText: true,
  end: true,
  takeOver: true,
};
const UNKNOWN_SCREEN =
  'The screen of this version of the CLI is not known: calls can be denied here, everything else is done at the desk.';

export interface TmuxDriverOptions {
  readonly sink: SessionSink;
  readonly pane: TmuxPane;
  readonly modes: readonly ApprovalMode[];
  /** True while a dialog of a tool call is being answered: it is no unknown dialog. */
  readonly isAnswering: () => boolean;
  /** Withdraws the requests of the session, so that hooks that wait return. */
  readonly releaseHooks: () => Promise<void>;
  /** Called when the pane is gone. */
  readonly onGone: () => void;
}

/** Drives the interactive CLI in a pane of tmux. Title and screen tell the state, hooks prove what was delivered. */
export class TmuxSessionDriver implements SessionDriver {
  readonly name = 'tmux';
  readonly #options: TmuxDriverOptions;
  readonly #ending = new AbortController();
  #prompts: string[] = [];
  #state: PaneView['state'];
  #unknownLooks = 0;
  #isKnown = true;
  #dialog: UnknownDialog | undefined;
  /** Keys are sent by one action at a time. */
  #acting: Promise<unknown> = Promise.resolve();

  constructor(options: TmuxDriverOptions) {
    this.#options = options;
    options.sink.update(
      { state: 'starting', modes: options.modes, capabilities: CONTROL },
      'screen',
    );
    void this.#poll();
  }

  /** The hook has reported a prompt, from here or from the desk. */
  onPrompt(text: string): void {
    this.#prompts.push(text);
    if (this.#prompts.length > 20) this.#prompts.shift();
  }

  prompt({ text, accepted }: OutgoingPrompt): Promise<void> {
    return this.#act(async () => {
      const from = this.#prompts.length;
      const wanted = firstCharacters(toPaste(text));
      const isAccepted = (): boolean =>
        this.#prompts
          .slice(Math.min(from, this.#prompts.length - 1))
          .some((known) => firstCharacters(known).startsWith(wanted));
      this.#prompts = [];
      await deliverPrompt(this.#options.pane, text, isAccepted);
      accepted();
      await untilReady(this.#options.pane, this.#ending.signal);
    });
  }

  async interrupt(): Promise<void> {
    const { pane, releaseHooks } = this.#options;
    const { state, screen } = await pane.look();
    // A second Escape on an idle input opens a dialog that rewinds the session, so Escape is for a turn that runs alone.
    if (state !== 'working' && screen.dialog === undefined)
      throw refusal('The session is not at work');
    await pane.press('Escape');
    // The CLI waits for its hooks even after Escape.
    await releaseHooks();
  }

  setMode(mode: ApprovalMode): Promise<void> {
    return this.#act(async () => {
      for (let presses = 0; presses < 6; presses++) {
        const current = await requireMode(this.#options.pane);
        if (current === mode) return;
        await this.#options.pane.press(mode === 'yolo' || current === 'yolo' ? 'C-y' : 'BTab');
        await untilView(this.#options.pane, ({ screen }) => screen.mode !== current, CHANGE_MS);
      }
      throw refusal(`The mode ${mode} could not be reached`);
    });
  }

  setModel(model: string): Promise<void> {
    if (!MODEL_NAME.test(model)) throw refusal('The name of the model is not valid');
    return this.#act(async () => {
      await sendCommand(this.#options.pane, `/model set ${model}`);
      const isSet = async (): Promise<boolean> =>
        (await this.#options.pane.text()).includes(`Model set to ${model}`);
      for (let waitedMs = 0; waitedMs < MODEL_MS; waitedMs += KEY_MS) {
        if (await isSet()) {
          this.#options.sink.update({ model }, 'screen');
          return;
        }
        await sleep(KEY_MS);
      }
      throw refusal(`The CLI did not accept the model ${model}`);
    });
  }

  async end(): Promise<void> {
    const { pane, releaseHooks } = this.#options;
    this.#ending.abort();
    await releaseHooks();
    const { state, screen } = await pane.look();
    if (state === 'ready' && screen.input === '' && screen.dialog === undefined)
      await sendCommand(pane, '/quit').catch(() => {});
    if (await untilView(pane, ({ isDead }) => isDead, QUIT_MS).catch(() => true)) return;
    const pid = await pane.pid().catch(() => undefined);
    if (pid !== undefined) process.kill(pid, 'SIGTERM');
  }

  async release(): Promise<void> {
    this.#ending.abort();
  }

  /** Reads the pane again and again until the driver is released. */
  async #poll(): Promise<void> {
    const { pane, onGone } = this.#options;
    const { signal } = this.#ending;
    while (!signal.aborted) {
      const view = await pane.look().catch(() => undefined);
      if (signal.aborted) return;
      if (view === undefined || view.isDead) {
        this.#ending.abort();
        onGone();
        return;
      }
      this.#take(view);
      await sleep(POLL_MS);
    }
  }

  #take(view: PaneView): void {
    const { sink } = this.#options;
    const { screen } = view;
    this.#state = view.state;
    this.#judgeScreen(view);
    this.#watchDialog(view);
    const isWorking =
      view.state === 'working' || view.state === 'asking' || screen.status !== undefined;
    const isReady = !isWorking && screen.input !== undefined && screen.dialog === undefined;
    const state = isWorking ? 'working' : isReady ? 'ready' : undefined;
    sink.update(
      {
        ...(state === undefined ? {} : { state }),
        ...(screen.mode === undefined ? {} : { mode: screen.mode }),
      },
      'screen',
    );
    sink.preview('text', isWorking ? screen.answer : '');
    const thought =
      screen.status?.startsWith('Executing Hook') === true ? '' : (screen.status ?? '');
    sink.preview('thought', isWorking ? thought : '');
  }

  /** Gives up keys if the screen is not that of a version that is known here. */
  #judgeScreen({ screen, state }: PaneView): void {
    const isSeen =
      screen.input !== undefined || screen.dialog !== undefined || screen.status !== undefined;
    this.#unknownLooks = isSeen || state === undefined ? 0 : this.#unknownLooks + 1;
    const isKnown = this.#unknownLooks < UNKNOWN_LOOKS;
    if (isKnown === this.#isKnown) return;
    this.#isKnown = isKnown;
    this.#options.sink.update(
      isKnown
        ? { capabilities: CONTROL, notes: [] }
        : { capabilities: { ...NO_CAPABILITIES, deny: true }, notes: [UNKNOWN_SCREEN] },
      'screen',
    );
  }

  /** Shows a dialog that no hook has announced, with its text and options. */
  #watchDialog(view: PaneView): void {
    const { sink, pane, isAnswering } = this.#options;
    if (isAnswering()) this.#dialog?.close();
    this.#dialog = isAnswering()
      ? undefined
      : findUnknownDialog(this.#dialog, view, { sink, pane });
  }

  #act<T>(action: () => Promise<T>): Promise<T> {
    const acted = this.#acting.then(action, action);
    this.#acting = acted.catch(() => {});
    return acted;
  }
}

/** The CLI trims a prompt, and may append files to it: its beginning is what can be compared. */
function firstCharacters(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 200);
}
