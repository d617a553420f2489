import type { MissingExpectation } from './expectations.js';
import type { StepOutput } from './result.js';

/** Every way in which a run can fail. */
export type ErrorCode =
  | 'INVALID_CONFIG'
  | 'INVALID_INPUT'
  | 'CLI_NOT_FOUND'
  | 'CLI_CONFIG'
  | 'AUTH'
  | 'UNTRUSTED_WORKSPACE'
  | 'SANDBOX'
  | 'MODEL_NOT_FOUND'
  | 'API_REQUEST'
  | 'RATE_LIMITED'
  | 'QUOTA_EXHAUSTED'
  | 'API_UNAVAILABLE'
  | 'NETWORK'
  | 'CONTENT_BLOCKED'
  | 'EMPTY_RESPONSE'
  | 'CONTEXT_OVERFLOW'
  | 'TURN_LIMIT'
  | 'LOOP_DETECTED'
  | 'TOOL_FAILED'
  | 'HOOK_STOPPED'
  | 'EXPECTATION_FAILED'
  | 'TIMEOUT'
  | 'CANCELLED'
  | 'INCOMPLETE'
  | 'PROTOCOL'
  | 'UNKNOWN';

/** Which clock ran out. */
export type TimeoutPhase = 'start' | 'idle' | 'total';

/** A wrong configuration value. */
export interface ConfigProblem {
  readonly key: string;
  readonly value: unknown;
  readonly problem: string;
}

/** `ProviderError` as plain data: what `toJSON()` gives, with secrets taken out. */
export interface ProviderErrorData {
  readonly name: 'ProviderError';
  readonly code: ErrorCode;
  /** One line, without prompt, key or stderr. */
  readonly message: string;
  /** What the person should do. */
  readonly hint: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly httpStatus?: number | undefined;
  /** The clock that ran out, for TIMEOUT. */
  readonly phase?: TimeoutPhase | undefined;
  /** Every wrong key at once, for INVALID_CONFIG. */
  readonly problems?: readonly ConfigProblem[] | undefined;
  /** Every expectation that is not met, for EXPECTATION_FAILED. */
  readonly missing?: readonly MissingExpectation[] | undefined;
  readonly stderrTail?: string | undefined;
  /** The id of the `generate()` that failed; undefined where the error belongs to none. */
  readonly generationId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** The output of the step up to the error: nothing is lost. */
  readonly partial?: StepOutput | undefined;
}
