import { hasErrno } from './errno.js';
import { messageOf } from './message-of.js';
import { ProviderError } from './provider-error.js';

const DISK_PROBLEMS: readonly string[] = [
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EACCES',
  'EPERM',
  'ENOENT',
  'EMFILE',
];

/**
 * Converts any thrown value to a `ProviderError`, so that callers see one error class, even for a full disk or a defect
 * of this package. The abort reason of the signal becomes CANCELLED, whatever value the caller chose as the reason.
 */
export function toProviderError(error: unknown, signal?: AbortSignal): ProviderError {
  if (signal?.aborted && error === signal.reason) {
    const message = 'The step was cancelled before the CLI was started';
    return new ProviderError({ code: 'CANCELLED', message, cause: error });
  }
  if (ProviderError.isInstance(error)) return error;
  const message = messageOf(error);
  const isDisk = hasErrno(error, ...DISK_PROBLEMS);
  return new ProviderError({
    code: 'UNKNOWN',
    message: `The step failed unexpectedly: ${message}`,
    hint: isDisk
      ? 'Make the temp folder writable and free space in it, or set TMPDIR to another one.'
      : 'See `cause`.',
    cause: error,
  });
}

/** Returns the error with the id of the `generate()` that failed, for an error that was made before the id was known. */
export function withGenerationId(error: ProviderError, generationId: string): ProviderError {
  if (error.generationId === generationId) return error;
  const { cause, stack } = error;
  const named = new ProviderError({ ...error.toJSON(), cause, generationId });
  if (stack !== undefined) named.stack = stack;
  return named;
}

/** Returns a CANCELLED error with the caller's reason as its cause, for an error that came without one, as from a worker. */
export function withReason(error: ProviderError, signal: AbortSignal): ProviderError {
  if (error.code !== 'CANCELLED' || error.cause !== undefined || !signal.aborted) return error;
  const named = new ProviderError({ ...error.toJSON(), cause: signal.reason });
  if (error.stack !== undefined) named.stack = error.stack;
  return named;
}
