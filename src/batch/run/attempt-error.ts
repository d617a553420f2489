import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { withGenerationId } from '../../base/errors/unexpected-error.js';

/**
 * Returns the error of a failed attempt. Errors that are made after the generation, for example by a merge conflict,
 * get the generation id of the attempt.
 */
export function toAttemptError(thrown: unknown, known: string | undefined): ProviderError {
  const error = wrapUnexpected(thrown);
  const generationId = error.generationId ?? error.partial?.generationId ?? known;
  return generationId === undefined ? error : withGenerationId(error, generationId);
}

function wrapUnexpected(error: unknown): ProviderError {
  if (ProviderError.isInstance(error)) return error;
  return new ProviderError({ code: 'UNKNOWN', message: messageOf(error), cause: error });
}
