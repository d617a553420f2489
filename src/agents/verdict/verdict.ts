import type { ErrorCode, TimeoutPhase } from '../../api/error.js';
import type { MissingExpectation } from '../../api/expectations.js';

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
