import type { HookBase } from '../../api/hook-payload.js';
import type { Logger } from '../../api/logger.js';
import type { ApprovalMode, ProviderConfig } from '../../api/provider-config.js';
import { messageOf } from '../../base/errors/message-of.js';
import { readEnvironment } from '../../base/process/environment.js';
import type { DeskResume } from '../drivers/desk-launcher.js';
import { parseHook } from '../hooks/parse-hook.js';
import type { RemoteSessions } from '../remote-sessions.js';
import type { ControlledSession } from '../session/controlled-session.js';
import type { Presence } from '../state/presence.js';
import { assertOwnSocket, createTmux, findTmuxProblem, type RunTmux } from '../tmux/run-tmux.js';
import { PANE_OPTION, startCliInTmux, TMUX_NAME } from '../tmux/start-cli.js';
import { TmuxPane } from '../tmux/tmux-pane.js';
import type { Desk, HookPane } from './desk.js';
import { DeskSession } from './desk-session.js';
import { hasTerminal } from './has-terminal.js';

export interface DeskOptions {
  readonly sessions: RemoteSessions;
  readonly presence: Presence;
  readonly config: ProviderConfig;
  /** Modes that a device may choose. */
  readonly modes: readonly ApprovalMode[];
  readonly logger: Logger;
}

const MODE_FLAGS: Readonly<Record<ApprovalMode, string>> = {
  default: 'default',
  auto_edit: 'auto_edit',
  plan: 'plan',
  yolo: 'yolo',
};

/** Opens the desk: finds tmux, and the sessions that run in it since an earlier start of the server. */
export async function openDesk(options: DeskOptions): Promise<Desk> {
  const problem = await findTmuxProblem();
  const desk = new DeskSessions(options, problem);
  if (problem === undefined) await desk.findAgain();
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

  constructor(options: DeskOptions, problem: string | undefined) {
    this.#options = options;
    this.notes = problem === undefined ? [] : [problem];
    this.launcher =
      problem === undefined ? { resume: (resume) => this.#resume(resume) } : undefined;
  }

  /** Finds sessions in our own tmux server that an earlier start of the server has led. */
  async findAgain(): Promise<void> {
    const run = createTmux({ name: TMUX_NAME });
    const format = `#{pane_id} #{${PANE_OPTION}} #{pane_current_path}`;
    const listed = await run(['list-panes', '-a', '-F', format]).catch(() => '');
    for (const line of listed.split('\n')) {
      const [, pane, cliSessionId, folder] = /^(%\d+) ([\w-]+) (.+)$/.exec(line) ?? [];
      if (pane === undefined || cliSessionId === undefined || folder === undefined) continue;
      const session = await this.#options.sessions.adopt(cliSessionId, folder);
      this.#open(session, new TmuxPane(run, pane), `${TMUX_NAME} ${pane}`);
    }
  }

  async onHook(
    _event: string,
    payload: unknown,
    pane: HookPane,
    signal: AbortSignal,
  ): Promise<object> {
    const hook = parseHook(payload);
    if (hook === undefined) return {};
    const { sessions, logger } = this.#options;
    const known = sessions.findByCli(hook.session_id);
    // Sessions that this server leads over ACP have hooks, too. Their approvals come through the protocol.
    if (known?.driverName === 'acp') return {};
    try {
      // The CLI reports the end of a session two or three times.
      const mayOpen = hook.hook_event_name !== 'SessionEnd';
      const found = await this.#find(hook, known, pane, mayOpen);
      return (await found?.onHook(hook, signal)) ?? {};
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

  async #find(
    { session_id: cliSessionId, cwd: folder }: HookBase,
    known: ControlledSession | undefined,
    { tmux, pane, parent }: HookPane,
    mayOpen: boolean,
  ): Promise<DeskSession | undefined> {
    const key = tmux && pane ? `${tmux.split(',')[0]} ${pane}` : undefined;
    const inPane = key === undefined ? undefined : this.#byPane.get(key);
    if (inPane !== undefined && !inPane.isOver) return inPane;
    const open = known === undefined ? undefined : this.#sessions.get(known);
    if (open !== undefined && !open.isOver) return open;
    if (!mayOpen) return undefined;
    // A program that runs the CLI without a terminal is no session of a person.
    if (key === undefined && !hasTerminal(parent)) return undefined;
    const session = known ?? (await this.#options.sessions.adopt(cliSessionId, folder));
    return this.#open(
      session,
      key === undefined ? undefined : await this.#openPane(tmux ?? '', pane ?? ''),
      key,
    );
  }

  async #openPane(tmux: string, pane: string): Promise<TmuxPane | undefined> {
    const socket = tmux.split(',')[0] ?? '';
    try {
      await assertOwnSocket(socket);
      return new TmuxPane(createTmux({ socket }), pane);
    } catch (error) {
      this.#options.logger.warn({ error: messageOf(error) }, 'A pane cannot be controlled');
      return undefined;
    }
  }

  #open(
    session: ControlledSession,
    pane: TmuxPane | undefined,
    key: string | undefined,
  ): DeskSession {
    const { presence, modes, logger, sessions } = this.#options;
    const desk = new DeskSession({
      session,
      pane,
      presence,
      modes,
      logger,
      onEnd: (reason) => {
        this.#sessions.delete(session);
        if (key !== undefined) this.#byPane.delete(key);
        if (session.driverName !== 'acp') sessions.ended(session, reason);
      },
    });
    this.#sessions.set(session, desk);
    if (key !== undefined) this.#byPane.set(key, desk);
    return desk;
  }

  async #resume({ session, cliSessionId, mode, model }: DeskResume): Promise<void> {
    const { config } = this.#options;
    const environment = { ...readEnvironment(), ...variablesOf(config) };
    const started = await startCliInTmux({
      folder: session.folder,
      args: ['--approval-mode', MODE_FLAGS[mode], ...(model === undefined ? [] : ['-m', model])],
      cliSessionId,
      isResumed: true,
      environment: {
        ...environment,
        ...(config.trustWorkspace === true ? { GEMINI_CLI_TRUST_WORKSPACE: 'true' } : {}),
      },
      cliPath: config.cliPath,
    });
    await this.#adoptPane(session, started.run, started.pane);
  }

  async #adoptPane(session: ControlledSession, run: RunTmux, pane: string): Promise<void> {
    const socket = (await run(['display-message', '-p', '-t', pane, '#{socket_path}'])).trim();
    this.#open(session, new TmuxPane(run, pane), `${socket} ${pane}`);
  }
}

/** Variables of the configuration that have a value of their own. */
function variablesOf({ env = {} }: ProviderConfig): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}
