import { basename } from 'node:path';
import type { Logger } from '../../api/logger.js';
import type { ApprovalMode, ProviderConfig } from '../../api/provider-config.js';
import { messageOf } from '../../base/errors/message-of.js';
import { readEnvironment } from '../../base/process/environment.js';
import { isProcessAlive } from '../../base/process/process-table.js';
import { findSessionById } from '../../sessions/files/find-session-by-id.js';
import { geminiHomeOf } from '../../sessions/files/gemini-home.js';
import type { DeskResume } from '../drivers/desk-launcher.js';
import type { CliProcess } from '../drivers/tmux/end-cli.js';
import { isLinked } from '../hooks/is-linked.js';
import { parseHook } from '../hooks/parse-hook.js';
import type { RemoteSessions } from '../remote-sessions.js';
import type { ControlledSession } from '../session/controlled-session.js';
import { variablesOf } from '../session/given-variables.js';
import type { DeskRecords } from '../state/desk-records.js';
import type { Presence } from '../state/presence.js';
import { assertOwnSocket, createTmux, findTmuxProblem } from '../tmux/run-tmux.js';
import { PANE_OPTION, startCliInTmux, TMUX_NAME } from '../tmux/start-cli.js';
import type { Desk, HookPane } from './desk.js';
import { DeskClaims } from './desk-claims.js';
import { DeskSession } from './desk-session.js';
import { findCliProcess, type HookProcess } from './find-cli-process.js';
import { listOwnPanes, type PanePlace, placeOf } from './own-panes.js';

export interface DeskOptions {
  readonly sessions: RemoteSessions;
  readonly presence: Presence;
  /** Where the sessions at the desk run, for a later server. */
  readonly records: DeskRecords;
  /** State folder of the server. */
  readonly state: string;
  readonly config: ProviderConfig;
  /** Modes that a device may choose. */
  readonly modes: readonly ApprovalMode[];
  readonly logger: Logger;
}

/** Opens the desk: finds tmux, and the sessions that run in it since an earlier start of the server. */
export async function openDesk(options: DeskOptions): Promise<Desk> {
  const problem = await findTmuxProblem();
  const desk = new DeskSessions(options, problem);
  // A server whose hooks are not in the CLI would see dialogs and prompts of another server as unknown ones.
  const geminiHome = geminiHomeOf({ ...readEnvironment(), ...variablesOf(options.config) });
  if (isLinked(geminiHome, options.state)) await desk.findAgain();
  return desk;
}

/** Sessions at the desk, by the id of the CLI's session. */
class DeskSessions implements Desk {
  readonly notes: readonly string[];
  readonly launcher: Desk['launcher'];
  readonly #options: DeskOptions;
  readonly #sessions = new Map<ControlledSession, DeskSession>();
  /** The session in each pane: `/clear` gives a pane another session of the CLI. */
  readonly #byPane = new Map<string, DeskSession>();
  readonly #claims: DeskClaims;
  /** Hooks that open a session run one after another, so that none is opened twice. */
  #opening: Promise<unknown> = Promise.resolve();

  constructor(options: DeskOptions, problem: string | undefined) {
    this.#options = options;
    this.#claims = new DeskClaims(options.sessions.owners);
    this.notes = problem === undefined ? [] : [problem];
    this.launcher =
      problem === undefined ? { resume: (resume) => this.#resume(resume) } : undefined;
  }

  /**
   * Finds the sessions that an earlier start of the server has led, or that were started while no server ran: those whose process
   * still lives, and those in our own tmux server.
   */
  async findAgain(): Promise<void> {
    const { sessions, records } = this.#options;
    for (const [sessionId, record] of records.readAll()) {
      const { cliSessionId, pid, startTime, file, socket, pane } = record;
      const session = sessions.findByCli(cliSessionId);
      if (session?.sessionId !== sessionId || !isProcessAlive(pid, startTime)) {
        await records.remove(sessionId);
        continue;
      }
      const place = await this.#openPane(socket, pane);
      const args = (await findCliProcess(String(pid)))?.args;
      const desk = await this.#open(session, place, { pid, startTime }, args);
      desk.follow(file ?? this.#findFile(session));
    }
    const own = this.launcher === undefined ? [] : await listOwnPanes();
    for (const { cliSessionId, folder, place } of own) {
      const session = await sessions.adopt(cliSessionId, folder);
      if (this.#sessions.has(session)) continue;
      const desk = await this.#open(session, place, undefined, undefined);
      desk.follow(this.#findFile(session));
    }
  }

  async onHook(
    _event: string,
    payload: unknown,
    hookPane: HookPane,
    signal: AbortSignal,
  ): Promise<object> {
    const hook = parseHook(payload);
    if (hook === undefined) return {};
    const { sessions, logger } = this.#options;
    try {
      const found = await findCliProcess(hookPane.parent);
      // A program that runs the CLI, and a CLI that another one has started, are no session of a person.
      if (found !== undefined && (!found.isInteractive || this.#isNested(found))) return {};
      // The CLI reports the end of a session two or three times.
      const mayOpen = hook.hook_event_name !== 'SessionEnd';
      const finding = this.#opening.then(async () => {
        const known = sessions.findByCli(hook.session_id);
        const open = this.#findOpen(known, keyOf(hookPane));
        if (open !== undefined) return open.isLedBy(found?.cli) ? open : undefined;
        if (!mayOpen || (found === undefined && keyOf(hookPane) === undefined)) return undefined;
        // Processes of this server have no hooks, so the person has opened the session at the desk.
        if (known?.driverName === 'acp') await sessions.yieldToDesk(known);
        const session = known ?? (await sessions.adopt(hook.session_id, hook.cwd));
        const place = await this.#openPane(socketOf(hookPane), hookPane.pane);
        return this.#open(session, place, found?.cli, found?.args);
      });
      this.#opening = finding.catch(() => {});
      const desk = await finding;
      if (desk !== undefined && found !== undefined && mayOpen)
        await this.#claims.take(desk.session, hook.session_id, found.cli);
      return (await desk?.onHook(hook, found, signal)) ?? {};
    } catch (error) {
      logger.warn(
        { error: messageOf(error), event: hook.hook_event_name },
        'A hook could not be handled',
      );
      return {};
    }
  }

  async close(): Promise<void> {
    for (const desk of this.#sessions.values()) desk.end(undefined);
  }

  #findOpen(
    known: ControlledSession | undefined,
    key: string | undefined,
  ): DeskSession | undefined {
    const inPane = key === undefined ? undefined : this.#byPane.get(key);
    if (inPane !== undefined && !inPane.isOver) return inPane;
    const open = known === undefined ? undefined : this.#sessions.get(known);
    return open === undefined || open.isOver ? undefined : open;
  }

  #isNested({ parents }: HookProcess): boolean {
    return [...this.#sessions.values()].some(
      ({ pid }) => pid !== undefined && parents.includes(pid),
    );
  }

  async #openPane(
    socket: string | undefined,
    id: string | undefined,
  ): Promise<PanePlace | undefined> {
    if (socket === undefined || id === undefined || id === '') return undefined;
    try {
      await assertOwnSocket(socket);
      return placeOf(createTmux({ socket }), socket, id, basename(socket) === TMUX_NAME);
    } catch (error) {
      this.#options.logger.warn({ error: messageOf(error) }, 'A pane cannot be controlled');
      return undefined;
    }
  }

  async #open(
    session: ControlledSession,
    place: PanePlace | undefined,
    cli: CliProcess | undefined,
    args: readonly string[] | undefined,
    isStarting = false,
  ): Promise<DeskSession> {
    const { presence, modes, logger, sessions, records } = this.#options;
    const pane = place?.pane;
    const desk = new DeskSession({
      ...{ session, pane, presence, modes, logger, cli, args, isStarting },
      findFile: () => this.#findFile(session),
      entries: await session.log.read(0, Number.MAX_SAFE_INTEGER),
      place: place === undefined ? {} : { socket: place.socket, pane: place.pane.id },
      onPlaced: (record) => void records.write(session.sessionId, record),
      promptNext: (text, by) => sessions.promptNext(session, text, by),
      onRekeyed: (cliSessionId) => {
        if (pane?.isOwn === true) void pane.mark(PANE_OPTION, cliSessionId).catch(() => {});
      },
      onEnd: (reason, isAsked) => {
        this.#sessions.delete(session);
        void this.#claims.release(session);
        if (place !== undefined) this.#byPane.delete(place.key);
        if (reason !== undefined) void records.remove(session.sessionId);
        if (!isAsked && session.driverName !== 'acp') sessions.ended(session, reason);
      },
    });
    this.#sessions.set(session, desk);
    if (place !== undefined) this.#byPane.set(place.key, desk);
    return desk;
  }

  async #resume({ session, cliSessionId, mode, model }: DeskResume): Promise<void> {
    const { config } = this.#options;
    const { run, pane } = await startCliInTmux({
      folder: session.folder,
      args: ['--approval-mode', mode, ...(model === undefined ? [] : ['-m', model])],
      cliSessionId,
      isResumed: true,
      environment: {
        ...this.#environment(),
        ...(config.trustWorkspace === true ? { GEMINI_CLI_TRUST_WORKSPACE: 'true' } : {}),
      },
      cliPath: config.cliPath,
    });
    const socket = (await run(['display-message', '-p', '-t', pane, '#{socket_path}'])).trim();
    await this.#open(session, placeOf(run, socket, pane, true), undefined, undefined, true);
  }

  #findFile({ cliSessionId: sessionId = '', folder }: ControlledSession): string | undefined {
    return findSessionById({
      geminiHome: geminiHomeOf(this.#environment()),
      sessionId,
      projectDir: folder,
    });
  }

  #environment(): Record<string, string | undefined> {
    return { ...readEnvironment(), ...variablesOf(this.#options.config) };
  }
}

/** Variable TMUX of a pane: socket of the server, its pid, and the number of the session. */
function socketOf({ tmux }: HookPane): string | undefined {
  return tmux?.split(',')[0] || undefined;
}

function keyOf(hookPane: HookPane): string | undefined {
  const socket = socketOf(hookPane);
  return socket !== undefined && hookPane.pane ? `${socket} ${hookPane.pane}` : undefined;
}
