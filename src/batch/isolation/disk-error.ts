import { ProviderError } from '../../base/errors/provider-error.js';

const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'Free disk space, or set TMPDIR to a disk that has some.',
  EDQUOT: 'Free disk space, or set TMPDIR to a disk that has some.',
  EACCES: 'Let the user of this process read and write the named path, or set `isolation: shared`.',
  EPERM: 'Let the user of this process read and write the named path, or set `isolation: shared`.',
  EROFS: 'The disk is mounted read-only: work in a folder that can be written.',
};

/** An error of the file system as one of ours; all others as they are. */
export function describeDiskError(error: unknown, what: string): unknown {
  if (ProviderError.isInstance(error) || !(error instanceof Error) || !('code' in error)) {
    return error;
  }
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `${what}: ${error.message}`,
    hint: HINTS[String(error.code)] ?? 'See in the message what the file system says.',
    cause: error,
  });
}
