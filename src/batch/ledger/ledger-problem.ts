import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { leavingSteps } from '../../base/process/takeover.js';

/**
 * Creates the error for a ledger that cannot be read or written: disk full, read-only, no folder. The ledger names no outcome of the
 * running steps then, so that the next run waits for the same jobs of a queue.
 */
export function ledgerProblem(path: string, cause: unknown): ProviderError {
  if (ProviderError.isInstance(cause)) return cause;
  const reason = messageOf(cause);
  const error = new ProviderError({
    code: 'INVALID_INPUT',
    message: `The ledger ${path} cannot be used`,
    hint: `${reason}. The batch starts no further steps, because it could not be resumed.`,
    cause,
  });
  return leavingSteps(error);
}
