import type { ErrorCode, TimeoutPhase } from '../../api/error.js';
import type { MissingExpectation } from '../../api/expectations.js';
import type { ProcessExit } from '../../base/process/spawn-cli.js';
import type { SessionEvidence } from '../../sessions/files/read-session-evidence.js';
import type { TurnFold } from '../events/turn-fold.js';

/** Why we ourselves ended a run. */
export type StepStopReason =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'timeout'; readonly phase: TimeoutPhase; readonly limitMs: number }
  /** `maxCliAttempts`: the CLI was still retrying; `text` is what it last said on stderr. */
  | {
      readonly kind: 'attempts';
      readonly attempts: number;
      readonly text: string;
      readonly httpStatus?: number | undefined;
      /** How long the CLI was going to wait. */
      readonly delayMs?: number | undefined;
    }
  /** It printed more than any true run does, and would have filled the disk. */
  | { readonly kind: 'flood'; readonly stream: 'stdout' | 'stderr'; readonly limitBytes: number }
  /** `unattended: "fail"`: a tool asked for a permission that nobody was there to give. */
  | { readonly kind: 'permission'; readonly tool: string; readonly hint: string };

/** How the agent's process ended, as far as this turn has to do with it. */
export interface TurnExit extends ProcessExit {
  /** The last part of stderr. */
  readonly stderr: string;
  /** Set where we ended the turn: the exit code and signal say nothing then. */
  readonly stopReason?: StepStopReason | undefined;
  /** We ended the process after its result, because it did not exit by itself: its exit code says nothing. */
  readonly endedAfterResult?: boolean | undefined;
}

/** What a verdict rests on besides the facts of the driver. */
export interface VerdictEvidence {
  /** What the events of the turn have shown. */
  readonly fold: Pick<TurnFold, 'text' | 'remarks' | 'toolCalls' | 'endsWithTool'>;
  /** What the session file says, where there is one. */
  readonly session?: Pick<SessionEvidence, 'lastTurn'> | undefined;
  /** Size of what was sent, where we sent it and neither history nor files were added to it. */
  readonly promptBytes?: number | undefined;
  /** Whether there are hooks that could have stopped the turn. */
  readonly hasHooks?: boolean | undefined;
}

export interface Failure {
  readonly ok: false;
  readonly code: ErrorCode;
  /** One line, without prompt, key or stderr. */
  readonly message: string;
  /** Where the table's own hint can be bettered. */
  readonly hint?: string | undefined;
  readonly httpStatus?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly phase?: TimeoutPhase | undefined;
  readonly missing?: readonly MissingExpectation[] | undefined;
}

/** `recovered`: the output was cut off, but the session file shows that the run had ended well. */
export type Verdict = { readonly ok: true; readonly recovered: boolean } | Failure;
