import { errnoOf } from '../../base/errors/errno.js';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';

const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'Free disk space, or set TMPDIR to a disk that has some.',
  EDQUOT: 'Free disk space, or set TMPDIR to a disk that has some.',
  EACCES: 'Let the user of this process read and write the named path, or set `isolation: shared`.',
  EPERM: 'Let the user of this process read and write the named path, or set `isolation: shared`.',
  EROFS: 'The disk is mounted read-only: use a folder on a writable disk.',
};

/** Wraps an error of the file system in a `ProviderError`. Returns other errors unchanged. */
export function describeDiskError(error: unknown, what: string): unknown {
  const errno = errnoOf(error);
  if (ProviderError.isInstance(error) || errno === undefined) return error;
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `${what}: ${messageOf(error)}`,
    hint: HINTS[errno] ?? 'The message has the error of the file system.',
    cause: error,
  });
}
