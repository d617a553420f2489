import type { ErrorCode, TimeoutPhase } from '../../api/error.js';
import type { MissingExpectation } from '../../api/expectations.js';
import type { ProcessExit } from '../../base/process/process-exit.js';
import type { SessionEvidence } from '../../sessions/files/read-session-evidence.js';
import type { TurnFold } from '../events/turn-fold.js';

/** Reason why the provider itself stopped a turn. */
export type StepStopReason =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'timeout'; readonly phase: TimeoutPhase; readonly limitMs: number }
  /** Limit `maxCliAttempts` reached while the CLI was retrying; `text` is its last notice on stderr. */
  | {
      readonly kind: 'attempts';
      readonly attempts: number;
      readonly text: string;
      readonly httpStatus?: number | undefined;
      /** Delay that the CLI announced before its next attempt. */
      readonly delayMs?: number | undefined;
    }
  /** Output larger than that of any normal turn: it would have filled the disk. */
  | { readonly kind: 'flood'; readonly stream: 'stdout' | 'stderr'; readonly limitBytes: number }
  /** With `unattended: "fail"`: a tool needed a permission that neither `onPermission` nor a rule grants. */
  | { readonly kind: 'permission'; readonly tool: string; readonly hint: string };

/** Exit of the agent's process, as far as it concerns this turn. */
export interface TurnExit extends ProcessExit {
  /** Last part of stderr. */
  readonly stderr: string;
  /** Set if the provider stopped the turn: exit code and signal then prove nothing. */
  readonly stopReason?: StepStopReason | undefined;
  /** True if the process did not exit after its result and was killed: its exit code then proves nothing. */
  readonly endedAfterResult?: boolean | undefined;
}

/** Evidence for a verdict besides the facts of the driver. */
export interface VerdictEvidence {
  /** State that the events of the turn add up to. */
  readonly fold: Pick<TurnFold, 'text' | 'remarks' | 'toolCalls' | 'endsWithTool'>;
  /** Evidence from the session file, if there is one. */
  readonly session?: Pick<SessionEvidence, 'lastTurn'> | undefined;
  /** Size of the prompt; undefined if unknown, or if history or files were sent with it. */
  readonly promptBytes?: number | undefined;
  /** True if there are hooks that could have stopped the turn. */
  readonly hasHooks?: boolean | undefined;
}

export interface Failure {
  readonly ok: false;
  readonly code: ErrorCode;
  /** Single line without prompt, key or stderr. */
  readonly message: string;
  /** Advice that is more precise than the hint of the code in `ERROR_CODES`. */
  readonly hint?: string | undefined;
  readonly httpStatus?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly phase?: TimeoutPhase | undefined;
  readonly missing?: readonly MissingExpectation[] | undefined;
}

/** `recovered` is true if the output was cut off but the session file shows that the turn ended well. */
export type Verdict = { readonly ok: true; readonly recovered: boolean } | Failure;
