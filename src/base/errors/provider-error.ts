import type { ConfigProblem, ErrorCode, ProviderErrorData, TimeoutPhase } from '../../api/error.js';
import type { MissingExpectation } from '../../api/expectations.js';
import type { StepOutput } from '../../api/result.js';
import { ERROR_CODES } from './codes.js';
import { noSecrets } from './redact.js';

/** Global symbol, so that two copies of this package in one process recognise each other's errors. */
const MARKER = Symbol.for('gemini-cli-provider.ProviderError');

export interface ProviderErrorInit {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly httpStatus?: number | undefined;
  readonly phase?: TimeoutPhase | undefined;
  readonly problems?: readonly ConfigProblem[] | undefined;
  readonly missing?: readonly MissingExpectation[] | undefined;
  readonly stderrTail?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly partial?: StepOutput | undefined;
  readonly cause?: unknown;
}

/** Error class of this package. Decide by its data (`code`, `retryable`, `partial`), not by its message. */
export class ProviderError extends Error {
  /** Name of the error class. */
  override readonly name = 'ProviderError';
  /** Code of the failure. */
  readonly code: ErrorCode;
  /** True if the same step, unchanged, may succeed later. */
  readonly retryable: boolean;
  /** Advice for the user: what to do about it. */
  readonly hint: string;
  /** Milliseconds to wait before a retry, if the API named a time. */
  readonly retryAfterMs: number | undefined;
  /** Exit code of the CLI. Undefined if this package ended the process. */
  readonly exitCode: number | undefined;
  /** Signal that killed the CLI. Undefined if this package ended the process. */
  readonly signal: string | undefined;
  /** HTTP status of the API's answer, if it is known. */
  readonly httpStatus: number | undefined;
  /** Timer that expired, for TIMEOUT. */
  readonly phase: TimeoutPhase | undefined;
  /** All wrong values at once, for INVALID_CONFIG. */
  readonly problems: readonly ConfigProblem[] | undefined;
  /** Conditions of `expects` that are not met, for EXPECTATION_FAILED. */
  readonly missing: readonly MissingExpectation[] | undefined;
  /** End of the CLI's stderr: at most 4,000 characters, without secrets. */
  readonly stderrTail: string | undefined;
  /** Id of the agent's session. Pass it to `resume` to continue the session. */
  readonly sessionId: string | undefined;
  /** Output of the step up to the failure: text, files, usage and more. */
  readonly partial: StepOutput | undefined;

  /** Callers redact the secrets they know; the constructor removes all text that has the shape of one. */
  constructor(init: ProviderErrorInit) {
    const facts = ERROR_CODES[init.code];
    super(
      noSecrets.text(toOneLine(init.message)),
      init.cause === undefined ? undefined : { cause: init.cause },
    );
    this.code = init.code;
    this.retryable = facts.retryable;
    this.hint = noSecrets.text(init.hint ?? facts.hint);
    this.retryAfterMs = init.retryAfterMs;
    this.exitCode = init.exitCode;
    this.signal = init.signal;
    this.httpStatus = init.httpStatus;
    this.phase = init.phase;
    this.problems = init.problems && noSecrets.value(init.problems);
    this.missing = init.missing && noSecrets.value(init.missing);
    this.stderrTail = init.stderrTail && noSecrets.text(init.stderrTail);
    this.sessionId = init.sessionId;
    this.partial = init.partial && { ...init.partial, ...noSecrets.value(init.partial) };
    Object.defineProperty(this, MARKER, { value: true });
  }

  /** True for a `ProviderError`, also for one of another copy of this package. Use it instead of `instanceof`. */
  static isInstance(value: unknown): value is ProviderError {
    return typeof value === 'object' && value !== null && MARKER in value;
  }

  /** Returns the error as plain data, without secrets. */
  toJSON(): ProviderErrorData {
    return {
      name: this.name,
      code: this.code,
      message: this.message,
      hint: this.hint,
      retryable: this.retryable,
      retryAfterMs: this.retryAfterMs,
      exitCode: this.exitCode,
      signal: this.signal,
      httpStatus: this.httpStatus,
      phase: this.phase,
      problems: this.problems,
      missing: this.missing,
      stderrTail: this.stderrTail,
      sessionId: this.sessionId,
      partial: this.partial,
    };
  }
}

function toOneLine(text: string): string {
  return text.replace(/\s*[\r\n\v\f\u0085\u2028\u2029]+\s*/g, ' ').trim();
}
