import { describeProcess } from '../../base/process/process-identity.js';
import type { CliProcess } from '../drivers/tmux/end-cli.js';
import type { ControlledSession } from '../session/controlled-session.js';
import type { SessionClaim, SessionOwners } from '../session/session-owners.js';

const TWO_OWNERS =
  'The session is open in another process, too: turns of one of them may be lost. End one of them.';

interface HeldClaim {
  readonly cliSessionId: string;
  readonly claim: Promise<SessionClaim | undefined>;
}

/** Locks of the sessions at the desk. Their owner is the process of the CLI, so that they outlive this server. */
export class DeskClaims {
  readonly #owners: SessionOwners;
  readonly #held = new Map<ControlledSession, HeldClaim>();

  constructor(owners: SessionOwners) {
    this.#owners = owners;
  }

  /** Takes the lock of a session for the CLI at the desk. Tells the person if another process has it. */
  async take(session: ControlledSession, cliSessionId: string, cli: CliProcess): Promise<void> {
    if (this.#held.get(session)?.cliSessionId === cliSessionId) return;
    await this.release(session);
    const owner = { ...describeProcess(), pid: cli.pid, startTime: cli.startTime };
    const claim = this.#owners.claim(cliSessionId, owner).catch(() => undefined);
    this.#held.set(session, { cliSessionId, claim });
    if ((await claim) === undefined)
      session.add({ type: 'notice', level: 'warning', message: TWO_OWNERS }, 'server');
  }

  async release(session: ControlledSession): Promise<void> {
    const held = this.#held.get(session);
    this.#held.delete(session);
    await (await held?.claim)?.release();
  }
}
