import { TESTED_CLI } from '../../../agents/gemini/cli-features.js';
import type { ApprovalMode } from '../../../api/provider-config.js';
import { callOnAbort } from '../../../base/process/abort-listeners.js';
import { isProcessAlive } from '../../../base/process/process-table.js';
import { sleep, sleepUnless } from '../../../base/process/timing.js';
import { refusal } from '../../session/refusal.js';
import { isPaneGone } from '../../tmux/run-tmux.js';
import type { PaneView, TmuxPane } from '../../tmux/tmux-pane.js';
import type { OutgoingPrompt, SessionDriver, SessionSink } from '../session-driver.js';
import { deliverPrompt } from './deliver-prompt.js';
import { type CliProcess, endCli } from './end-cli.js';
import { LiveText } from './live-text.js';
import { interruptTurn, sendCommand, switchMode, untilReady } from './pane-actions.js';
import { PromptArrivals } from './prompt-arrivals.js';
import { findScreenVersion, ScreenTrust } from './screen-trust.js';
import { StartWatch } from './start-watch.js';
import { TurnWatch } from './turn-watch.js';
import { findUnknownDialog, type UnknownDialog } from './unknown-dialog.js';

const POLL_MS = 200;
/** An idle session is looked at less often: hooks report when it begins to work. */
const IDLE_POLL_MS = 1_000;
const KEY_MS = 100;
const MODEL_MS = 10_000;

export interface TmuxDriverOptions {
  readonly sink: SessionSink;
  readonly pane: TmuxPane;
  readonly modes: readonly ApprovalMode[];
  /** True if the CLI was started a moment ago: its first hook tells that the CLI listens. */
  readonly isStarting: boolean;
  /** True for a text of the screen that the log of the session has already. */
  readonly isLogged: (text: string) => boolean;
  /** True while a dialog of a tool call is being answered: it is no unknown dialog. */
  readonly isAnswering: () => boolean;
  /** Withdraws the requests of the session, so that hooks that wait return. */
  readonly releaseHooks: () => void;
  /** Process of the CLI. Undefined until a hook has told. */
  readonly cli: () => CliProcess | undefined;
  /** Called when the pane or the CLI in it is gone. */
  readonly onGone: () => void;
  /** Called when `end` has ended the CLI. */
  readonly onEnded: () => void;
}

/** Drives the interactive CLI in a pane of tmux. Title and screen tell the state, hooks prove what was delivered. */
export class TmuxSessionDriver implements SessionDriver {
  readonly name = 'tmux';
  readonly #options: TmuxDriverOptions;
  readonly #ending = new AbortController();
  readonly #trust = new ScreenTrust(TESTED_CLI);
  readonly #turn = new TurnWatch();
  readonly #arrivals = new PromptArrivals();
  readonly #start: StartWatch;
  readonly #liveText: LiveText;
  #dialog: UnknownDialog | undefined;
  #hasVersion = false;
  #waking = new AbortController();

  constructor(options: TmuxDriverOptions) {
    this.#options = options;
    this.#start = new StartWatch(options.isStarting);
    this.#liveText = new LiveText(options.pane, options.isLogged);
    const { capabilities } = this.#trust;
    options.sink.update({ state: 'starting', modes: options.modes, capabilities }, 'screen');
    callOnAbort(this.#ending.signal, () => this.#wake());
    void this.#poll();
  }

  /** True if keys can be pressed: the rules for screens hold. */
  get canPress(): boolean {
    return this.#trust.isKnown;
  }

  /** The hook has reported a prompt, from here or from the desk. */
  onPrompt(text: string): void {
    this.#turn.begin();
    const late = this.#arrivals.report(text);
    if (late !== undefined) void this.#acceptLate(late);
    this.#wake();
  }

  /** A hook or the session file has told that the turn is over. */
  onTurnEnd(): void {
    this.#turn.end();
    this.#wake();
  }

  /** A hook has come: something changes, so the pane is looked at at once. */
  onHook(): void {
    this.#start.end();
    this.#wake();
  }

  /** An announced dialog is open, and the rules do not find it. */
  missDialog(): void {
    if (this.#trust.missDialog()) this.#showTrust();
  }

  async prompt(prompt: OutgoingPrompt): Promise<void> {
    const { pane } = this.#options;
    const { text } = prompt;
    let isEntered = false;
    const enter = (): void => {
      isEntered = true;
    };
    await pane.exclusive(async () => {
      this.#arrivals.begin();
      const isAccepted = (): boolean => this.#arrivals.has(text);
      await deliverPrompt(pane, text, isAccepted, enter).catch((error: unknown) => {
        if (isEntered) this.#arrivals.expectLate(prompt);
        throw error;
      });
    });
    prompt.accepted();
    await this.#untilReady();
  }

  interrupt(): Promise<void> {
    const { pane, releaseHooks } = this.#options;
    return pane.exclusive(() => interruptTurn(pane, releaseHooks));
  }

  async setMode(mode: ApprovalMode): Promise<void> {
    const { pane, sink } = this.#options;
    await pane.exclusive(() => switchMode(pane, mode));
    sink.update({ mode }, 'screen');
  }

  async setModel(model: string): Promise<void> {
    const { pane, sink } = this.#options;
    await pane.exclusive(async () => {
      await sendCommand(pane, `/model set ${model}`);
      const until = performance.now() + MODEL_MS;
      while (!(await pane.text()).includes(`Model set to ${model}`)) {
        if (performance.now() > until) throw refusal(`The CLI did not accept the model ${model}`);
        await sleep(KEY_MS);
      }
    });
    sink.update({ model }, 'screen');
  }

  async end(): Promise<void> {
    const { pane, releaseHooks, cli, sink, onEnded } = this.#options;
    releaseHooks();
    const draft = await pane.exclusive(() => endCli(pane, cli()));
    this.#ending.abort();
    if (draft !== '')
      sink.add(
        { type: 'notice', level: 'info', message: `The input at the desk held a draft: ${draft}` },
        'screen',
      );
    onEnded();
  }

  async release(): Promise<void> {
    this.#ending.abort();
    this.#dialog?.close();
  }

  #wake(): void {
    this.#waking.abort();
  }

  async #acceptLate({ accepted, answered }: OutgoingPrompt): Promise<void> {
    accepted();
    await this.#untilReady().catch(() => {});
    answered();
  }

  #untilReady(): Promise<void> {
    const { pane } = this.#options;
    return untilReady(pane, (view) => this.#turn.isRunning(view), this.#ending.signal);
  }

  /** Reads the pane again and again until the driver is released. */
  async #poll(): Promise<void> {
    const { pane, onGone, cli } = this.#options;
    const { signal } = this.#ending;
    while (!signal.aborted) {
      const view = await pane
        .look()
        .catch((error: unknown) => (isPaneGone(error) ? 'gone' : undefined));
      if (signal.aborted) return;
      // In our own pane, a CLI that wants to be started again comes back, and otherwise the pane is closed.
      const ended = findEnded(cli());
      if (view === 'gone' || view?.isDead === true || (ended !== undefined && !pane.isOwn)) {
        this.#ending.abort();
        onGone();
        return;
      }
      if (ended !== undefined) this.#start.restart(ended.pid);
      // A hook that comes from here on ends the sleep that follows.
      this.#waking = new AbortController();
      if (view !== undefined) await this.#take(view);
      // A tmux that does not answer at present is asked again: the session may live.
      const isIdle =
        view === undefined || (!this.#turn.isRunning(view) && view.screen.input !== undefined);
      // Node 20 would keep a trace of each `AbortSignal.any()` with a signal that lives as long as the session.
      await sleepUnless(isIdle ? IDLE_POLL_MS : POLL_MS, this.#waking.signal);
    }
  }

  async #take(view: PaneView): Promise<void> {
    const { sink } = this.#options;
    const { screen } = view;
    if (this.#trust.take(view, performance.now())) this.#showTrust();
    this.#watchDialog(view);
    const isWorking = this.#turn.isRunning(view);
    const isReady = !isWorking && screen.input !== undefined;
    if (isReady) await this.#findVersion();
    if (this.#ending.signal.aborted) return;
    const seen = isWorking ? 'working' : isReady ? 'ready' : undefined;
    const state = this.#start.isStarting(view) ? 'starting' : seen;
    sink.update(
      {
        ...(state === undefined ? {} : { state }),
        ...(screen.mode === undefined ? {} : { mode: screen.mode }),
      },
      'screen',
    );
    sink.preview('text', isWorking ? await this.#liveText.read(screen, this.#arrivals.latest) : '');
    const isHook = screen.status?.startsWith('Executing Hook') === true;
    sink.preview('thought', isWorking && !isHook ? (screen.status ?? '') : '');
  }

  #showTrust(): void {
    const { capabilities, notes } = this.#trust;
    this.#options.sink.update({ capabilities, notes }, 'screen');
  }

  /** Reads the version on the start screen once. */
  async #findVersion(): Promise<void> {
    if (this.#hasVersion) return;
    this.#hasVersion = true;
    const version = findScreenVersion(await this.#options.pane.text().catch(() => ''));
    if (version !== undefined && this.#trust.takeVersion(version)) this.#showTrust();
  }

  /** Shows a dialog that no hook has announced, with its text and options. */
  #watchDialog(view: PaneView): void {
    const { sink, pane, isAnswering } = this.#options;
    if (isAnswering()) this.#dialog?.close();
    this.#dialog = isAnswering()
      ? undefined
      : findUnknownDialog(this.#dialog, view, { sink, pane });
  }
}

/** Returns the process if it is known to have ended. In a pane of the person, the shell lives on. */
function findEnded(cli: CliProcess | undefined): CliProcess | undefined {
  return cli?.startTime === undefined || isProcessAlive(cli.pid, cli.startTime) ? undefined : cli;
}
