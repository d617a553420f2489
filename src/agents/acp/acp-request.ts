import type { ResolvedStep } from '../resolve-step.js';
import type { AgentPool } from './agent-pool.js';
import type { Launch } from './launch.js';
import type { AgentProfile } from './profile.js';
import type { ResumedSession } from './resume-session.js';

/** What a step wants of a warm agent, the same for all its turns. */
export interface AcpRequest {
  readonly resolved: ResolvedStep;
  readonly pool: AgentPool;
  readonly launch: Launch;
  readonly profile: AgentProfile;
  /** The earlier session to continue. */
  readonly resumed: ResumedSession | undefined;
  readonly signal: AbortSignal;
}
