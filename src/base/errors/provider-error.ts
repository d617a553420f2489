import type { ConfigProblem, ErrorCode, ProviderErrorData, TimeoutPhase } from '../../api/error.js';
import type { MissingExpectation } from '../../api/expectations.js';
import type { StepOutput } from '../../api/result.js';
import { ERROR_CODES } from './codes.js';
import { noSecrets } from './redact.js';

/** Two copies of this package in one process still recognise each other's errors. */
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
  readonly generationId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly partial?: StepOutput | undefined;
  readonly cause?: unknown;
}

/** The one error of this package: data first (`code`, `retryable`, `partial`), prose second. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly hint: string;
  readonly retryAfterMs: number | undefined;
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly httpStatus: number | undefined;
  /** Which clock ran out, for TIMEOUT. */
  readonly phase: TimeoutPhase | undefined;
  /** Every wrong key at once, for INVALID_CONFIG. */
  readonly problems: readonly ConfigProblem[] | undefined;
  /** Everything that was expected and is not there, for EXPECTATION_FAILED. */
  readonly missing: readonly MissingExpectation[] | undefined;
  readonly stderrTail: string | undefined;
  /** The id of the `generate()` that failed; undefined where the error belongs to none. */
  readonly generationId: string | undefined;
  readonly sessionId: string | undefined;
  /** What the run had produced by then: nothing is lost. */
  readonly partial: StepOutput | undefined;

  /** Whoever knows the secrets of a run has taken them out by now; what looks like one goes in any case. */
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
    this.generationId = init.generationId;
    this.sessionId = init.sessionId;
    this.partial = init.partial && { ...init.partial, ...noSecrets.value(init.partial) };
    Object.defineProperty(this, MARKER, { value: true });
  }

  static isInstance(value: unknown): value is ProviderError {
    return typeof value === 'object' && value !== null && MARKER in value;
  }

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
      generationId: this.generationId,
      sessionId: this.sessionId,
      partial: this.partial,
    };
  }
}

function toOneLine(text: string): string {
  return text.replace(/\s*[\r\n\v\f\u0085\u2028\u2029]+\s*/g, ' ').trim();
}
