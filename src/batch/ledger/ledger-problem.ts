import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';

/** A ledger that the disk does not take: full, read-only, no folder. */
export function ledgerProblem(path: string, cause: unknown): ProviderError {
  if (ProviderError.isInstance(cause)) return cause;
  const reason = messageOf(cause);
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `The ledger ${path} cannot be used`,
    hint: `${reason}. Nothing more is started, because it could not be resumed.`,
    cause,
  });
}
