import { ProviderError } from '../errors/provider-error.js';

const DISK_PROBLEMS: ReadonlySet<unknown> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EACCES',
  'EPERM',
  'ENOENT',
  'EMFILE',
]);

/** Callers see one class of errors, also where the disk is full or something of ours has broken. */
export function toProviderError(error: unknown): ProviderError {
  if (ProviderError.isInstance(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  const isDisk = error instanceof Error && 'code' in error && DISK_PROBLEMS.has(error.code);
  return new ProviderError({
    code: 'UNKNOWN',
    message: `The run could not be carried out: ${message}`,
    hint: isDisk
      ? 'Make the temp folder writable and free space in it, or set TMPDIR to another one.'
      : 'See `cause`.',
    cause: error,
  });
}
