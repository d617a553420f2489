import type { MissingExpectation } from './expectations.js';
import type { StepOutput } from './result.js';

/** Codes of `ProviderError`: the closed list of ways in which a step can fail. */
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

/** Timer that expired: `startTimeout` (`start`), `idleTimeout` (`idle`) or `timeout` (`total`). */
export type TimeoutPhase = 'start' | 'idle' | 'total';

/** A wrong value in a configuration or a plan. */
export interface ConfigProblem {
  /** Key of the value. Keys inside of it are joined by dots: `pool.maxProcesses`. */
  readonly key: string;
  /** The wrong value. Values of `env` are replaced by `(hidden)`. */
  readonly value: unknown;
  /** Description of the problem, with what is allowed. */
  readonly problem: string;
}

/** `ProviderError` as plain data, as `toJSON()` returns it, without secrets. */
export interface ProviderErrorData {
  /** Name of the error class. */
  readonly name: 'ProviderError';
  /** Code of the failure. */
  readonly code: ErrorCode;
  /** Description of what happened, on one line, without prompt, key or stderr. */
  readonly message: string;
  /** Advice for the user: what to do about it. */
  readonly hint: string;
  /** True if the same step, unchanged, may succeed later. */
  readonly retryable: boolean;
  /** Milliseconds to wait before a retry. Present if the API named a time. */
  readonly retryAfterMs?: number | undefined;
  /** Exit code of the CLI. Absent if this package ended the process. */
  readonly exitCode?: number | undefined;
  /** Signal that killed the CLI. Absent if this package ended the process. */
  readonly signal?: string | undefined;
  /** HTTP status of the API's answer, if it is known. */
  readonly httpStatus?: number | undefined;
  /** Timer that expired, for TIMEOUT. */
  readonly phase?: TimeoutPhase | undefined;
  /** All wrong values at once, for INVALID_CONFIG. */
  readonly problems?: readonly ConfigProblem[] | undefined;
  /** Conditions of `expects` that are not met, for EXPECTATION_FAILED. */
  readonly missing?: readonly MissingExpectation[] | undefined;
  /** End of the CLI's stderr: at most 4,000 characters, without secrets. */
  readonly stderrTail?: string | undefined;
  /** Id of the `generate()` that failed. Absent if the error belongs to none. */
  readonly generationId?: string | undefined;
  /** Id of the agent's session. Pass it to `resume` to continue the session. */
  readonly sessionId?: string | undefined;
  /** Output of the step up to the failure: text, files, usage and more. */
  readonly partial?: StepOutput | undefined;
}
