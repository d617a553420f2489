import type { ErrorCode, TimeoutPhase } from '../contract/error.js';
import type { StatusRemark, ToolCall } from '../events/run-fold.js';
import type { WireResult } from './wire.js';

/** Why we ourselves ended a run. */
export type OwnEnd =
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
    };

/** How the process ended, as far as anybody knows. */
export interface ProcessEnd {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  /** `ENOENT` and the like, where it never started. */
  readonly spawnErrno?: string | undefined;
  /** The last part of stderr. */
  readonly stderr: string;
  readonly ownEnd?: OwnEnd | undefined;
  /** We ended it after its result, because it did not go by itself: its exit code says nothing. */
  readonly endedAfterResult?: boolean | undefined;
}

/** Everything that is known of a run once it is over. */
export interface RunFacts extends ProcessEnd {
  readonly terminal?: WireResult | undefined;
  readonly remarks: readonly StatusRemark[];
  readonly toolCalls: readonly ToolCall[];
  /** Lines on stdout that were events of the CLI. */
  readonly wireEvents: number;
  /** Lines that were something else: no JSON, or JSON of no type that is known. */
  readonly foreignLines: number;
  /** Whether stdout breaks off in the middle of a line. */
  readonly isTorn?: boolean | undefined;
  /** Whether the last thing on stdout, but for its result, was the end of a tool call. */
  readonly endsWithTool?: boolean | undefined;
  /** Size of what was sent, where we sent it and no history came before it. */
  readonly promptBytes?: number | undefined;
  /** What the session file says of the last turn, where there is one. */
  readonly witness?: 'answered' | 'unanswered' | undefined;
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
}

/** `recovered`: the output was cut off, but the session file shows that the run had ended well. */
export type Verdict = { readonly ok: true; readonly recovered: boolean } | Failure;
