import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';

/** Creates the error for a ledger that cannot be read or written: disk full, read-only, no folder. */
export function ledgerProblem(path: string, cause: unknown): ProviderError {
  if (ProviderError.isInstance(cause)) return cause;
  const reason = messageOf(cause);
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `The ledger ${path} cannot be used`,
    hint: `${reason}. The batch starts no further steps, because it could not be resumed.`,
    cause,
  });
}
