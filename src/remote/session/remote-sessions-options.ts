import type { ApprovalMode } from '../../api/provider-config.js';
import type { DeskLauncher } from '../drivers/desk-launcher.js';
import type { SessionDriver, SessionSink } from '../drivers/session-driver.js';
import type { SessionStore } from '../state/session-store.js';
import type { PastSessions } from './past-sessions.js';
import type { SessionOwners } from './session-owners.js';

/** What a driver over ACP needs to open a session. */
export interface AcpOpening {
  readonly folder: string;
  readonly model: string | undefined;
  readonly mode: ApprovalMode;
  readonly resume: string | undefined;
  readonly sink: SessionSink;
  readonly onExit: () => void;
}

export type PrepareAcp = (opening: AcpOpening) => Promise<() => Promise<SessionDriver>>;

export interface RemoteSessionsOptions {
  readonly store: SessionStore;
  readonly past: PastSessions;
  readonly owners: SessionOwners;
  /** Folders in which a device may start sessions. */
  readonly roots: readonly string[];
  readonly model: string | undefined;
  /** Prepares a session over ACP. The function that is returned starts it. */
  readonly prepareAcp: PrepareAcp;
  /** Starts the CLI in tmux; undefined where tmux is missing. */
  readonly desk: () => DeskLauncher | undefined;
}
