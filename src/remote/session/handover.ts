import { msUntilSafe } from '../../agents/acp/resume-session.js';
import { messageOf } from '../../base/errors/message-of.js';
import { sleep } from '../../base/process/timing.js';
import type { DeskLauncher } from '../drivers/desk-launcher.js';
import type { ControlledSession } from './controlled-session.js';
import { refusal } from './refusal.js';
import type { AcpOpening, PrepareAcp } from './remote-sessions-options.js';
import type { SessionClaim, SessionOwners } from './session-owners.js';
import type { SessionEntry } from './session-table.js';

export interface HandoverOptions {
  readonly owners: SessionOwners;
  readonly prepareAcp: PrepareAcp;
  /** Starts the CLI in tmux; undefined where tmux is missing. */
  readonly desk: () => DeskLauncher | undefined;
  /** Called when the process of an agent has ended by itself. */
  readonly onExit: (session: ControlledSession) => void;
  /** Called when a session could not be started. */
  readonly onFailed: (session: ControlledSession) => void;
}

type Opening = Pick<AcpOpening, 'model' | 'mode' | 'resume'>;

const TAKEN_OVER = 'Taken over: the CLI can load the session from the next minute on';

/**
 * Gives sessions from one side to the other: from the desk to this server and back. A session has one owner at a time, and the
 * side before has ended before the next one begins.
 */
export class Handover {
  readonly #options: HandoverOptions;
  readonly #claims = new Map<ControlledSession, SessionClaim>();
  readonly #changing = new Set<ControlledSession>();
  /** Times at which sessions were opened over ACP, ISO 8601. */
  readonly #openedAt = new WeakMap<ControlledSession, string>();

  constructor(options: HandoverOptions) {
    this.#options = options;
  }

  /** True while a session changes sides: the end of the side before is not the end of the session. */
  isChanging(session: ControlledSession): boolean {
    return this.#changing.has(session);
  }

  /** Opens a session over ACP. Throws a `ProviderError`; the session has ended then. */
  async open(entry: SessionEntry, opening: Opening): Promise<void> {
    const { session } = entry;
    session.update({ state: 'starting', mode: opening.mode }, 'server');
    await this.#orEnd(entry, opening, async () => {
      const start = await this.#prepare(session, opening);
      await this.#start(entry, opening, start);
    });
  }

  /** Moves a session from the desk, or one of the past, to this server. Throws a `ProviderError`. */
  async takeOver(entry: SessionEntry): Promise<void> {
    const { session } = entry;
    await this.#change(session, async () => {
      const { cliSessionId, mode = 'default', model } = session.describe();
      if (cliSessionId === undefined) throw refusal('The CLI has no record of this session yet');
      const isOpen = assertFree(session);
      const safeMode = mode === 'yolo' ? 'default' : mode;
      const opening = { model, mode: safeMode, resume: cliSessionId };
      // What is refused must be refused before the CLI at the desk has ended.
      const start = await this.#prepare(session, opening);
      // The person at the desk may have gone on meanwhile.
      if (assertFree(session) !== isOpen || session.cliSessionId !== cliSessionId)
        throw refusal('The session has changed at the desk', 'Look at the session, and try again.');
      if (isOpen) await session.leave('end');
      session.update({ state: 'starting', mode: safeMode }, 'server', TAKEN_OVER);
      await this.#orEnd(entry, opening, () => this.#start(entry, opening, start));
    });
  }

  /** Gives a session back to the desk. Throws a `ProviderError`. */
  async handBack({ session, prompts }: SessionEntry): Promise<void> {
    await this.#change(session, async () => {
      const { cliSessionId, mode = 'default', model } = session.describe();
      session.require('handBack');
      assertIdle(session);
      const desk = this.#options.desk();
      if (desk === undefined || cliSessionId === undefined)
        throw refusal(
          'tmux is not installed at the desk',
          'Install tmux 3.2 or newer, for example with apt install tmux.',
        );
      await this.#leaveAcp(session);
      session.update({ state: 'starting' }, 'server', 'Given back: the CLI starts at the desk');
      try {
        // The CLI names a file by the minute: one that it opens twice in a minute loses its messages.
        await sleep(msUntilSafe(this.#openedAt.get(session), Date.now()));
        await desk.resume({ session, cliSessionId, mode, model });
      } catch (error) {
        prompts.end('The session could not be started at the desk');
        session.ended('The session could not be started at the desk', 'server', true);
        throw error;
      }
    });
  }

  /** The person has opened a session at the desk that this server leads: the desk gets it. */
  async yieldToDesk(session: ControlledSession): Promise<void> {
    await this.#change(session, () => this.#leaveAcp(session));
    const message = 'The session was opened at the desk: it goes on there';
    session.add({ type: 'notice', level: 'warning', message }, 'server');
  }

  /** Gives up the lock of a session that has ended. */
  async release(session: ControlledSession): Promise<void> {
    const claim = this.#claims.get(session);
    this.#claims.delete(session);
    await claim?.release();
  }

  #prepare(session: ControlledSession, opening: Opening): ReturnType<PrepareAcp> {
    const onExit = (): void => this.#options.onExit(session);
    return this.#options.prepareAcp({ ...opening, folder: session.folder, sink: session, onExit });
  }

  async #start(
    { session, prompts }: SessionEntry,
    { resume }: Opening,
    start: Awaited<ReturnType<PrepareAcp>>,
  ): Promise<void> {
    if (resume !== undefined) await this.#claim(session, resume);
    this.#openedAt.set(session, new Date().toISOString());
    const driver = await start();
    this.#openedAt.set(session, new Date().toISOString());
    if (resume === undefined && session.cliSessionId !== undefined)
      await this.#claim(session, session.cliSessionId);
    session.drive(driver);
    void prompts.advance();
  }

  /** Runs a start. A session that cannot be started has ended. */
  async #orEnd(
    { session, prompts }: SessionEntry,
    { resume }: Opening,
    start: () => Promise<void>,
  ): Promise<void> {
    try {
      await start();
    } catch (error) {
      await this.release(session);
      session.add({ type: 'notice', level: 'error', message: messageOf(error) }, 'server');
      prompts.end('The session could not be started');
      session.ended('The session could not be started', 'server', resume !== undefined);
      this.#options.onFailed(session);
      throw error;
    }
  }

  async #leaveAcp(session: ControlledSession): Promise<void> {
    await session.leave('end');
    await this.release(session);
  }

  async #claim(session: ControlledSession, cliSessionId: string): Promise<void> {
    await this.release(session);
    this.#claims.set(session, await this.#options.owners.claim(cliSessionId));
  }

  async #change(session: ControlledSession, change: () => Promise<void>): Promise<void> {
    if (this.#changing.has(session)) throw refusal('The session is changing sides already');
    this.#changing.add(session);
    try {
      await change();
    } finally {
      this.#changing.delete(session);
    }
  }
}

/** Throws INVALID_INPUT if a session that is open cannot be taken over now. Returns whether the session is open. */
function assertFree(session: ControlledSession): boolean {
  if (session.describe().state === 'ended') return false;
  session.require('takeOver');
  assertIdle(session);
  return true;
}

/** Throws INVALID_INPUT if a turn runs: its end would be lost. */
function assertIdle(session: ControlledSession): void {
  const { state } = session.describe();
  if (state !== 'ready')
    throw refusal('The session is at work', 'Interrupt the turn, or wait for its end.');
}
