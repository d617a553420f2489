import { basename } from 'node:path';
import type { Logger } from '../../api/logger.js';
import type { ApprovalMode, ProviderConfig } from '../../api/provider-config.js';
import { messageOf } from '../../base/errors/message-of.js';
import { readEnvironment } from '../../base/process/environment.js';
import { findSessionById } from '../../sessions/files/find-session-by-id.js';
import { geminiHomeOf } from '../../sessions/files/gemini-home.js';
import type { DeskResume } from '../drivers/desk-launcher.js';
import type { CliProcess } from '../drivers/tmux/end-cli.js';
import { parseHook } from '../hooks/parse-hook.js';
import type { RemoteSessions } from '../remote-sessions.js';
import type { ControlledSession } from '../session/controlled-session.js';
import { variablesOf } from '../session/given-variables.js';
import type { Presence } from '../state/presence.js';
import { assertOwnSocket, createTmux, findTmuxProblem } from '../tmux/run-tmux.js';
import { PANE_OPTION, startCliInTmux, TMUX_NAME } from '../tmux/start-cli.js';
import { TmuxPane } from '../tmux/tmux-pane.js';
import type { Desk, HookPane } from './desk.js';
import { DeskClaims } from './desk-claims.js';
import { DeskSession } from './desk-session.js';
import { findCliProcess } from './find-cli-process.js';

export interface DeskOptions {
  readonly sessions: RemoteSessions;
  readonly presence: Presence;
  readonly config: ProviderConfig;
  /** Modes that a device may choose. */
  readonly modes: readonly ApprovalMode[];
  readonly logger: Logger;
}

/** Opens the desk: finds tmux, and the sessions that run in it since an earlier start of the server. */
export async function openDesk(options: DeskOptions): Promise<Desk> {
  const problem = await findTmuxProblem();
  const desk = new DeskSessions(options, problem);
  if (problem === undefined) await desk.findAgain();
  return desk;
}

/** A pane, and the key under which hooks find it: the socket of its server and its id. */
interface KeyedPane {
  readonly pane: TmuxPane;
  readonly key: string;
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

  /** Finds sessions in our own tmux server that an earlier start of the server has led. */
  async findAgain(): Promise<void> {
    const run = createTmux({ name: TMUX_NAME });
    const format = `#{pane_id} #{${PANE_OPTION}} #{pane_dead} #{socket_path} #{pane_current_path}`;
    const listed = await run(['list-panes', '-a', '-F', format]).catch(() => '');
    for (const line of listed.split('\n')) {
      const [, id, cliSessionId, dead, socket, folder] =
        /^(%\d+) ([\w-]+) (\d?) (\S+) (.+)$/.exec(line) ?? [];
      if (id === undefined || cliSessionId === undefined || folder === undefined || dead === '1')
        continue;
      const session = await this.#options.sessions.adopt(cliSessionId, folder);
      const keyed = { pane: new TmuxPane(run, id, true), key: `${socket} ${id}` };
      const desk = await this.#open(session, keyed, undefined);
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
      const { hasTerminal, cli } = findCliProcess(hookPane.parent);
      // The CLI reports the end of a session two or three times.
      const mayOpen = hook.hook_event_name !== 'SessionEnd';
      const finding = this.#opening.then(async () => {
        const known = sessions.findByCli(hook.session_id);
        const open = this.#findOpen(known, keyOf(hookPane));
        if (open !== undefined || !mayOpen) return open;
        // A program that runs the CLI without a terminal is no session of a person.
        if (keyOf(hookPane) === undefined && !hasTerminal) return undefined;
        // Processes of this server have no hooks, so the person has opened the session at the desk.
        if (known?.driverName === 'acp') await sessions.yieldToDesk(known);
        const session = known ?? (await sessions.adopt(hook.session_id, hook.cwd));
        return this.#open(session, await this.#openPane(hookPane), cli);
      });
      this.#opening = finding.catch(() => {});
      const found = await finding;
      if (found !== undefined && cli !== undefined && mayOpen)
        await this.#claims.take(found.session, hook.session_id, cli);
      return (await found?.onHook(hook, cli, signal)) ?? {};
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

  async #openPane(hookPane: HookPane): Promise<KeyedPane | undefined> {
    const key = keyOf(hookPane);
    const socket = socketOf(hookPane);
    if (key === undefined || socket === undefined) return undefined;
    try {
      await assertOwnSocket(socket);
      const isOwn = basename(socket) === TMUX_NAME;
      return { pane: new TmuxPane(createTmux({ socket }), hookPane.pane ?? '', isOwn), key };
    } catch (error) {
      this.#options.logger.warn({ error: messageOf(error) }, 'A pane cannot be controlled');
      return undefined;
    }
  }

  async #open(
    session: ControlledSession,
    keyed: KeyedPane | undefined,
    cli: CliProcess | undefined,
  ): Promise<DeskSession> {
    const { presence, modes, logger, sessions } = this.#options;
    const pane = keyed?.pane;
    const desk = new DeskSession({
      ...{ session, pane, presence, modes, logger, cli },
      entries: await session.log.read(0, Number.MAX_SAFE_INTEGER),
      promptNext: (text, by) => sessions.promptNext(session, text, by),
      onRekeyed: (cliSessionId) => {
        if (pane?.isOwn === true) void pane.mark(PANE_OPTION, cliSessionId).catch(() => {});
      },
      onEnd: (reason) => {
        this.#sessions.delete(session);
        void this.#claims.release(session);
        if (keyed !== undefined) this.#byPane.delete(keyed.key);
        if (session.driverName !== 'acp') sessions.ended(session, reason);
      },
    });
    this.#sessions.set(session, desk);
    if (keyed !== undefined) this.#byPane.set(keyed.key, desk);
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
    const keyed = { pane: new TmuxPane(run, pane, true), key: `${socket} ${pane}` };
    await this.#open(session, keyed, undefined);
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
