import type { HookPayload } from '../../api/hook-payload.js';
import type { Logger } from '../../api/logger.js';
import type { ApprovalMode } from '../../api/provider-config.js';
import type { RemoteEntry } from '../../api/remote-entry.js';
import { messageOf } from '../../base/errors/message-of.js';
import { isInForeground } from '../../base/process/process-table.js';
import type { CliProcess } from '../drivers/tmux/end-cli.js';
import { TmuxSessionDriver } from '../drivers/tmux/tmux-session-driver.js';
import { WatchDriver } from '../drivers/watch-driver.js';
import type { ControlledSession } from '../session/controlled-session.js';
import { FileFeed } from '../session/file-feed.js';
import type { DeskRecord } from '../state/desk-records.js';
import type { Presence } from '../state/presence.js';
import { isShown } from '../tmux/is-shown.js';
import type { TmuxPane } from '../tmux/tmux-pane.js';
import type { HookProcess } from './find-cli-process.js';
import { HookApprovals } from './hook-approvals.js';
import { isOtherCli } from './is-other-cli.js';
import { readStartMode } from './start-mode.js';
import { watchDeskFile } from './watch-desk-file.js';

const ENDED = 'The CLI was ended';

export interface DeskSessionOptions {
  readonly session: ControlledSession;
  readonly pane: TmuxPane | undefined;
  readonly presence: Presence;
  readonly modes: readonly ApprovalMode[];
  readonly logger: Logger;
  /** True if the CLI was started in the pane a moment ago. */
  readonly isStarting: boolean;
  /** Process of the CLI, if it is known. */
  readonly cli: CliProcess | undefined;
  /** Program and arguments of the CLI, if the system tells. */
  readonly args: readonly string[] | undefined;
  /** Entries that the log has already, from an earlier run of the server. */
  readonly entries: readonly RemoteEntry[];
  /** Finds the session file by the id of the session. */
  readonly findFile: () => string | undefined;
  /** Sends a prompt before all others that wait. */
  readonly promptNext: (text: string, by: string) => void;
  /** Socket of tmux and id of the pane, for a later server. */
  readonly place: { readonly socket?: string | undefined; readonly pane?: string | undefined };
  /** Called when it is known where the session runs. */
  readonly onPlaced: (record: DeskRecord) => void;
  /** Called when the CLI has given the session another id. */
  readonly onRekeyed: (cliSessionId: string) => void;
  /** Called when the session at the desk is over, with true if the server has asked for it: the session itself may go on. */
  readonly onEnd: (reason: string | undefined, isAsked: boolean) => void;
}

/** A session at the desk: what its hooks, its file and its pane report becomes entries of its log. */
export class DeskSession {
  readonly session: ControlledSession;
  readonly #options: DeskSessionOptions;
  readonly #ending = new AbortController();
  readonly #approvals: HookApprovals;
  readonly #driver: TmuxSessionDriver | undefined;
  readonly #watcher: WatchDriver | undefined;
  readonly #feed: FileFeed;
  readonly #unsubscribe: () => void;
  #cli: CliProcess | undefined;
  #args: readonly string[] | undefined;
  #file: string | undefined;
  /** True after the CLI has told its end. In our own pane it may come back. */
  #hasEnded = false;
  #recorded = '';
  /** Time at which the present turn has begun: the file also tells of turns before it. */
  #turnBeganMs = Date.now();
  #watching = new AbortController();

  constructor(options: DeskSessionOptions) {
    const { session, pane, presence, modes, entries } = options;
    this.#options = options;
    this.session = session;
    this.#cli = options.cli;
    pane?.watchCli(() => this.#cli === undefined || isInForeground(this.#cli.pid));
    this.#args = options.args;
    this.#feed = new FileFeed(session);
    for (const { content } of entries) this.#feed.restore(content);
    this.#unsubscribe = presence.subscribe((isAway) => {
      if (!isAway) this.#approvals.handToDesk();
    });
    this.#approvals = new HookApprovals({
      sink: session,
      pane,
      canPress: () => this.#driver?.canPress === true,
      onUnseen: () => this.#driver?.missDialog(),
      isAway: () => presence.isAway(),
      mode: () => session.describe().mode,
      promptNext: options.promptNext,
      signal: this.#ending.signal,
    });
    this.#driver =
      pane === undefined
        ? undefined
        : new TmuxSessionDriver({
            sink: session,
            pane,
            modes,
            isStarting: options.isStarting,
            isLogged: (text) => this.#feed.answersOfTurn().some((known) => isShown(known, text)),
            isAnswering: () => this.#approvals.isAnswering,
            releaseHooks: () => this.#approvals.release(),
            cli: () => this.#cli,
            onGone: () => this.end(this.#hasEnded ? ENDED : 'The terminal was closed'),
            onEnded: () => this.end(ENDED, true),
          });
    this.#watcher =
      this.#driver === undefined
        ? new WatchDriver({
            sink: session,
            cli: () => this.#cli,
            onGone: () => this.end('The process of the CLI has ended'),
          })
        : undefined;
    const driver = this.#driver ?? this.#watcher;
    if (driver !== undefined) session.drive(driver);
    this.#takeStartMode();
  }

  get isOver(): boolean {
    return this.#ending.signal.aborted;
  }

  /** Pid of the CLI, if it is known. */
  get pid(): number | undefined {
    return this.#cli?.pid;
  }

  /** True for a hook of the CLI that leads this session, false for one of another CLI, such as one that a program in the same pane runs. */
  isLedBy(cli: CliProcess | undefined): boolean {
    return !isOtherCli(this.#cli, cli);
  }

  /** Takes a hook of the CLI and returns what the hook prints. */
  async onHook(
    hook: HookPayload,
    found: HookProcess | undefined,
    closed: AbortSignal,
  ): Promise<object> {
    this.#cli = found?.cli ?? this.#cli;
    this.#args = found?.args ?? this.#args;
    this.#hasEnded = false;
    this.#takeId(hook);
    this.#takeStartMode(hook.transcript_path);
    this.#record();
    this.#driver?.onHook();
    switch (hook.hook_event_name) {
      case 'SessionStart':
        // After a resume, the hook names a file that is not that of the session.
        this.follow(hook.source === 'resume' ? this.#options.findFile() : hook.transcript_path);
        return {};
      case 'BeforeAgent':
        this.#turnBeganMs = Date.now();
        this.follow(hook.transcript_path);
        this.#approvals.begin(hook.prompt);
        this.#feed.beginTurn();
        this.#driver?.onPrompt(hook.prompt);
        this.#setState('working');
        return {};
      case 'AfterAgent':
        this.#approvals.release();
        this.#driver?.onTurnEnd();
        this.#setState('ready');
        return {};
      case 'BeforeTool':
        return this.#approvals.beforeTool(hook, closed);
      case 'AfterTool':
        this.#approvals.afterTool(hook);
        return {};
      case 'Notification':
        return this.#approvals.notification(hook, closed);
      case 'SessionEnd':
        // `/clear` ends a session and begins another one in the same terminal. In our own pane, a CLI that wants to be started again
        // comes back, and otherwise the pane is closed.
        this.#hasEnded = hook.reason !== 'clear';
        if (this.#hasEnded && this.#options.pane?.isOwn !== true) this.end(ENDED);
        return {};
    }
  }

  /** Ends the watch over the session. What runs at the desk is left alone. */
  end(reason: string | undefined, isAsked = false): void {
    if (this.isOver) return;
    this.#ending.abort();
    this.#unsubscribe();
    this.#approvals.release();
    this.#watching.abort();
    this.#feed.flush();
    void this.#driver?.release();
    void this.#watcher?.release();
    this.#options.onEnd(reason, isAsked);
  }

  /** `/clear` gives the session another id. The end of the session before comes with the old one. */
  #takeId({ session_id: cliSessionId, hook_event_name: event }: HookPayload): void {
    if (event === 'SessionEnd' || this.session.cliSessionId === cliSessionId) return;
    this.session.update({ cliSessionId }, 'hook');
    this.#options.onRekeyed(cliSessionId);
  }

  /** Until the screen shows a mode, that of the start is assumed. */
  #takeStartMode(file = this.#file): void {
    if (this.#args === undefined || this.session.describe().mode !== undefined) return;
    const mode = readStartMode(this.#args, file, this.session.folder);
    if (mode !== undefined) this.session.update({ mode }, 'hook');
  }

  /** Tells a later server where the session runs. */
  #record(): void {
    const { cliSessionId } = this.session;
    const { pid, startTime } = this.#cli ?? {};
    if (cliSessionId === undefined || pid === undefined || startTime === undefined) return;
    const { place } = this.#options;
    const record = { cliSessionId, pid, startTime, ...place, file: this.#file };
    const text = JSON.stringify(record);
    if (text === this.#recorded) return;
    this.#recorded = text;
    this.#options.onPlaced(record);
  }

  /** Without a pane, only the hooks tell whether the session works. */
  #setState(state: 'ready' | 'working'): void {
    if (this.#driver === undefined) this.session.update({ state }, 'hook');
  }

  /** Watches the session file. */
  follow(file: string | undefined): void {
    if (file === undefined || file === this.#file) return;
    this.#file = file;
    this.#watching.abort();
    const watching = new AbortController();
    this.#watching = watching;
    void watchDeskFile(file, watching.signal, {
      accept: (update) => this.#feed.accept(update),
      removed: () => {
        this.#approvals.turnRemoved();
        this.#driver?.onTurnEnd();
      },
      cancelled: (atMs) => {
        if (atMs < this.#turnBeganMs) return;
        // The CLI waits for its hooks also after Escape.
        this.#approvals.release('desk');
        this.#driver?.onTurnEnd();
      },
    }).catch((error: unknown) => {
      this.#options.logger.warn({ error: messageOf(error) }, 'A session file cannot be watched');
    });
  }
}
