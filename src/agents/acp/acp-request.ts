import type { ResolvedStep } from '../resolve-step.js';
import type { AgentPool } from './agent-pool.js';
import type { Launch } from './launch.js';
import type { AgentProfile } from './profile.js';
import type { ResumedSession } from './resume-session.js';

/** Input of a step that runs on a warm agent. All turns of the step share it. */
export interface AcpRequest {
  readonly resolved: ResolvedStep;
  readonly pool: AgentPool;
  readonly launch: Launch;
  readonly profile: AgentProfile;
  /** Earlier session that the step continues. */
  readonly resumed: ResumedSession | undefined;
  readonly signal: AbortSignal;
}
