import type { ErrorCode, ProviderErrorData } from '../../api/error.js';
import { ERROR_CODES } from './codes.js';
import { noSecrets } from './redact.js';

/** Global symbol, so that two copies of this package in one process recognise each other's errors. */
const MARKER = Symbol.for('gemini-cli-provider.ProviderError');

/** Names of the optional facts of an error. Each has its type in `ProviderErrorData`. */
const DETAIL_NAMES = [
  'retryAfterMs',
  'exitCode',
  'signal',
  'httpStatus',
  'phase',
  'problems',
  'missing',
  'stderrTail',
  'generationId',
  'sessionId',
  'partial',
] as const satisfies readonly (keyof ProviderErrorData)[];

type DetailName = (typeof DETAIL_NAMES)[number];
type ErrorDetails = Pick<ProviderErrorData, DetailName>;

/** Facts from which a `ProviderError` is made. */
export interface ProviderErrorInit
  extends ErrorDetails,
    Pick<ProviderErrorData, 'code' | 'message'> {
  /**
   * Advice for the user.
   *
   * @defaultValue the hint of the code
   */
  readonly hint?: string | undefined;
  /** Error that led to this one. */
  readonly cause?: unknown;
}

/** `Error` with the details as properties, which the constructor below sets. */
const DetailedError: new (message: string, options?: ErrorOptions) => Error & ErrorDetails = Error;

/** Error class of this package. Decide by its data (`code`, `retryable`, `partial`), not by its message. */
export class ProviderError extends DetailedError {
  /** Name of the error class. */
  override readonly name = 'ProviderError';
  /** Code of the failure. */
  readonly code: ErrorCode;
  /** True if the same step, unchanged, may succeed later. */
  readonly retryable: boolean;
  /** Advice for the user: what to do about it. */
  readonly hint: string;

  static {
    // Details without a value are properties of the prototype: `'exitCode' in error` holds, and a print leaves them out.
    for (const name of DETAIL_NAMES) {
      Object.defineProperty(ProviderError.prototype, name, { value: undefined, writable: true });
    }
  }

  /** Callers redact the secrets they know; the constructor removes all text that has the shape of one. */
  constructor(init: ProviderErrorInit) {
    const { code, message, hint, cause, details } = readInit(init);
    const facts = ERROR_CODES[code];
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.retryable = facts.retryable;
    this.hint = noSecrets.text(hint ?? facts.hint);
    const known = Object.entries(details).filter(([, value]) => value !== undefined);
    Object.assign(this, Object.fromEntries(known));
    Object.defineProperty(this, MARKER, { value: true });
  }

  /** True for a `ProviderError`, also for one of another copy of this package. Use it instead of `instanceof`. */
  static isInstance(value: unknown): value is ProviderError {
    try {
      return typeof value === 'object' && value !== null && MARKER in value;
    } catch {
      // A proxy may throw from its `has` trap.
      return false;
    }
  }

  /** Returns the error as plain data, without secrets. */
  toJSON(): ProviderErrorData {
    const { name, code, message, hint, retryable } = this;
    return { name, code, message, hint, retryable, ...pickDetails(this) };
  }
}

/** Reads the facts of an error once. Throws INVALID_INPUT if they are not of the types above. */
function readInit(init: ProviderErrorInit) {
  let problem = 'Wrong types';
  try {
    const { code, message, hint, cause } = init;
    const isText = typeof message === 'string' && ['string', 'undefined'].includes(typeof hint);
    if (isText && typeof code === 'string' && Object.hasOwn(ERROR_CODES, code)) {
      const details = { ...pickDetails(init), ...redactDetails(init) };
      return { code, message: noSecrets.text(toOneLine(message)), hint, cause, details };
    }
  } catch (error) {
    problem = error instanceof Error ? error.message : problem;
  }
  throw new ProviderError({
    code: 'INVALID_INPUT',
    message: `A ProviderError cannot be made of this value: ${problem}`,
    hint: 'Give an object with `code`, `message` and details that JSON can express.',
  });
}

function pickDetails(source: ErrorDetails): ErrorDetails {
  const details: { -readonly [Name in DetailName]?: ErrorDetails[Name] } = {};
  const pick = <Name extends DetailName>(name: Name): void => {
    details[name] = source[name];
  };
  for (const name of DETAIL_NAMES) pick(name);
  return details;
}

/** Redacts the details that contain text from outside: from the agent, the user or the file system. */
function redactDetails({ problems, missing, stderrTail, partial }: ErrorDetails): ErrorDetails {
  return {
    problems: problems && noSecrets.value(problems),
    missing: missing && noSecrets.value(missing),
    stderrTail: stderrTail && noSecrets.text(stderrTail),
    // The redacted copy went through JSON, which drops keys with the value undefined: the original keeps them.
    partial: partial && { ...partial, ...noSecrets.value(partial) },
  };
}

function toOneLine(text: string): string {
  return text.replace(/\s*[\r\n\v\f\u0085\u2028\u2029]+\s*/g, ' ').trim();
}
