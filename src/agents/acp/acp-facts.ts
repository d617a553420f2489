import type { TokenCounts } from '../../api/result.js';
import type { ProcessExit } from '../../base/process/spawn-cli.js';
import type { StepStopReason } from '../verdict/verdict.js';
import type { AgentProfile, RpcError } from './profile.js';

/** What is known of a turn over ACP once it is over. */
export interface AcpFacts {
  /** How this agent's answers and errors are read. */
  readonly profile: AgentProfile;
  /** Set where we ended the turn. */
  readonly stopReason?: StepStopReason | undefined;
  /** The answer to the prompt. */
  readonly response?: unknown;
  /** Tokens that were told before the answer. */
  readonly toldUsage?: TokenCounts | undefined;
  readonly rpcError?: RpcError | undefined;
  /** Set where the process exited before it answered. */
  readonly exit?: ProcessExit | undefined;
  /** Whether the agent had introduced itself by then. */
  readonly wasReady: boolean;
  readonly stderr: string;
}
