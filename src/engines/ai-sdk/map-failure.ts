import type { LanguageModelV3FinishReason } from '@ai-sdk/provider';
import type { ErrorCode } from '../../api/error.js';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import type { AiSdkErrors } from './load-ai-sdk.js';
import { NAMESPACE } from './to-json.js';

/** Facts about the failed step that are not in its error. */
export interface FailedCall {
  readonly modelId: string;
  /** True if a tool has run whose effects a second run would repeat. */
  readonly hasActed: boolean;
}

/** Failures that the AI SDK knows as a way to finish: the caller gets the text so far, and no exception. */
const FINISHES: Partial<Record<ErrorCode, LanguageModelV3FinishReason['unified']>> = {
  TURN_LIMIT: 'length',
  CONTENT_BLOCKED: 'content-filter',
};

/** HTTP status of a failure that came without one. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  INVALID_CONFIG: 400,
  INVALID_INPUT: 400,
  API_REQUEST: 400,
  MODEL_NOT_FOUND: 404,
  RATE_LIMITED: 429,
  QUOTA_EXHAUSTED: 429,
  API_UNAVAILABLE: 503,
  TIMEOUT: 504,
};

/** Returns the finish reason of a failure that is no exception for the AI SDK, or undefined. */
export function findFinishReason(code: string): LanguageModelV3FinishReason | undefined {
  const [, unified] = Object.entries(FINISHES).find(([known]) => known === code) ?? [];
  return unified === undefined ? undefined : { unified, raw: code };
}

/**
 * Maps an error of a step to the classes by which the AI SDK decides whether it calls the model again. The AI SDK repeats a
 * call twice by default, and a step is not idempotent: an error is retryable only if the step has changed nothing.
 */
export function mapFailure(thrown: unknown, call: FailedCall, sdk: AiSdkErrors): unknown {
  if (!ProviderError.isInstance(thrown)) return thrown;
  if (thrown.code === 'CANCELLED') return toAbortError(thrown);
  if (thrown.code === 'AUTH') return withCause(toKeyError(thrown, sdk), thrown);
  const { code, message, hint, retryAfterMs } = thrown;
  const statusCode = thrown.httpStatus ?? STATUS[code];
  return new sdk.APICallError({
    message: `${code}: ${message} ${hint}`,
    url: `${NAMESPACE}://${call.modelId}`,
    requestBodyValues: {},
    isRetryable: thrown.retryable && !call.hasActed && !hasWritten(thrown),
    data: thrown.toJSON(),
    cause: thrown,
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(retryAfterMs === undefined
      ? {}
      : { responseHeaders: { 'retry-after-ms': String(retryAfterMs) } }),
  });
}

function hasWritten({ partial }: ProviderError): boolean {
  return partial?.files.some(({ kind }) => kind !== 'unchanged') ?? false;
}

function toKeyError({ message, hint }: ProviderError, sdk: AiSdkErrors): Error {
  return new sdk.LoadAPIKeyError({ message: `${message} ${hint}` });
}

/** Creates the error that `fetch` would throw. The AI SDK knows a cancelled call by the name of the error. */
function toAbortError(error: ProviderError): Error {
  const { cause } = error;
  const isTimeout = cause instanceof Error && cause.name === 'TimeoutError';
  const text = cause === undefined ? error.message : `${error.message}: ${messageOf(cause)}`;
  return withCause(new DOMException(text, isTimeout ? 'TimeoutError' : 'AbortError'), error);
}

/** Adds the `ProviderError` with the files and the text so far, for classes whose constructor takes no cause. */
function withCause(error: Error, cause: ProviderError): Error {
  return Object.defineProperty(error, 'cause', { value: cause, configurable: true });
}
