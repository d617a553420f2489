import type { AgentEvent } from '../../api/agent-event.js';
import type { ClientFileHooks } from '../../api/client-file-hooks.js';
import type { Logger } from '../../api/logger.js';
import type { ApprovalMode } from '../../config/provider-config.js';
import type { RecordedEdit } from '../../sessions/files/read-session-evidence.js';
import type { Limits } from '../deadlines.js';
import type { AgentPool } from './agent-pool.js';
import type { AcpFacts } from './judge-acp.js';
import type { Launch } from './launch.js';
import type { MappedRequest } from './map-update.js';
import type { PermissionSettings } from './permission-policy.js';
import type { AgentProfile } from './profile.js';
import type { SessionSpec } from './session-spec.js';

/** What a step wants of a warm agent. */
export interface AcpRequest {
  readonly pool: AgentPool;
  readonly launch: Launch;
  readonly spec: SessionSpec;
  readonly profile: AgentProfile;
  readonly approvalMode: ApprovalMode;
  readonly model: string | undefined;
  /** The session to go on with. */
  readonly resume: string | undefined;
  /** Called when the agent has loaded it, or has failed to, and before anything else happens to it. */
  readonly onResumed: () => Promise<void>;
  readonly permissions: PermissionSettings;
  /** The setting that would have allowed a call. */
  readonly hintFor: (call: MappedRequest['call']) => string;
  readonly limits: Limits;
  readonly maxAttempts: number | undefined;
  readonly workspaceDirs: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly clientFiles: false | ClientFileHooks;
  readonly clientTerminals: boolean;
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/** One prompt. */
export interface AcpMessage {
  readonly prompt: string;
  /** Where events wait that nobody takes. */
  readonly queueFile: string;
  /** How much of the time for the whole step is gone already. */
  readonly spentMs: number;
  /** Whether the session, and the place with it, is to be held for another message. */
  readonly mayGoOn: boolean;
  /** Sees each event, and gives what may be handed out. */
  readonly observe: (event: AgentEvent) => AgentEvent;
}

/** What is left when the turn is over. */
export interface AcpOutcome extends AcpFacts {
  /** When its clocks began to run, by `performance.now()`. */
  readonly startedAtMs: number;
  readonly edits: readonly RecordedEdit[];
  readonly args: readonly string[];
  readonly agentVersion: string | undefined;
  /** Processes that shell commands had left behind. */
  readonly processesLeft: number;
  readonly reportFiles: readonly string[];
}
