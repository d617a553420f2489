import { ProviderError } from '../../base/errors/provider-error.js';

/** Error for an action that a session or the server refuses. */
export function refusal(message: string, hint = 'Look at the session again.'): ProviderError {
  return new ProviderError({ code: 'INVALID_INPUT', message, hint });
}
