import type { TokenCounts } from '../../api/result.js';
import type { ProcessExit } from '../../base/process/process-exit.js';
import type { StepStopReason } from '../verdict/verdict.js';
import type { AgentProfile, RpcError } from './profile.js';

/** Facts about a finished turn over ACP, from which the verdict is made. */
export interface AcpFacts {
  /** Profile of the agent, which reads its answers and errors. */
  readonly profile: AgentProfile;
  /** Set if the provider stopped the turn. */
  readonly stopReason?: StepStopReason | undefined;
  /** Answer to `session/prompt`. */
  readonly response?: unknown;
  /** Tokens that updates reported before the answer came. */
  readonly streamedUsage?: TokenCounts | undefined;
  /** Files that this process could not write for the agent because the disk is full. */
  readonly withoutSpace?: readonly string[] | undefined;
  readonly rpcError?: RpcError | undefined;
  /** Class of the error behind the error response, as a report of the agent names it. */
  readonly errorType?: string | undefined;
  /** Set if the process exited before it answered the prompt. */
  readonly exit?: ProcessExit | undefined;
  /** True if this package ended the process, for example because another step on it could not be cancelled. */
  readonly wasEnded?: boolean | undefined;
  /** True if the process had completed the ACP handshake. */
  readonly wasReady: boolean;
  /** False if the turn failed before its prompt was sent, so before any request to the API of the model. */
  readonly wasPrompted?: boolean | undefined;
  readonly stderr: string;
}
