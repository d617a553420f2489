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
 * Callers see one class of errors, also where the disk is full or something of ours has broken. What is thrown
 * as the reason of the signal is a cancel: whatever the caller has put there.
 */
export function toProviderError(error: unknown, signal?: AbortSignal): ProviderError {
  if (signal?.aborted && error === signal.reason) {
    const message = 'The call was cancelled before the CLI was started';
    return new ProviderError({ code: 'CANCELLED', message, cause: error });
  }
  if (ProviderError.isInstance(error)) return error;
  const message = messageOf(error);
  const isDisk = hasErrno(error, ...DISK_PROBLEMS);
  return new ProviderError({
    code: 'UNKNOWN',
    message: `The run could not be carried out: ${message}`,
    hint: isDisk
      ? 'Make the temp folder writable and free space in it, or set TMPDIR to another one.'
      : 'See `cause`.',
    cause: error,
  });
}

/** The same error with the id of the `generate()` that failed, for errors that were made before the id was known. */
export function withGenerationId(error: ProviderError, generationId: string): ProviderError {
  if (error.generationId === generationId) return error;
  const { cause, stack } = error;
  const named = new ProviderError({ ...error.toJSON(), cause, generationId });
  if (stack !== undefined) named.stack = stack;
  return named;
}
