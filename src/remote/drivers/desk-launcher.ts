import type { ApprovalMode } from '../../api/provider-config.js';
import type { ControlledSession } from '../session/controlled-session.js';

/** A session that goes back to the desk. */
export interface DeskResume {
  readonly session: ControlledSession;
  readonly cliSessionId: string;
  readonly mode: ApprovalMode;
  readonly model: string | undefined;
}

/** Starts the CLI at the desk, in tmux. */
export interface DeskLauncher {
  /** Continues a session in tmux and gives it to the driver of the desk. */
  resume(resume: DeskResume): Promise<void>;
}
