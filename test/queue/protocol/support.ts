import { ProviderError } from '../../../src/base/errors/provider-error.js';
import type { SigningTrust } from '../../../src/queue/protocol/signature.js';

/** Both sides know the same secret. */
export const SIGNED: SigningTrust = {
  queue: 'q',
  secret: 'a secret of 24 characters',
  acceptsUnsigned: false,
};
export const OTHER_SECRET: SigningTrust = { ...SIGNED, secret: 'another secret of a side' };
/** The store is on loopback, and nobody has a secret. */
export const OPEN: SigningTrust = { queue: 'q', secret: undefined, acceptsUnsigned: true };
/** The store is elsewhere, and this side has no secret. */
export const CLOSED: SigningTrust = { queue: 'q', secret: undefined, acceptsUnsigned: false };

/** Returns the error that the function throws. */
export function errorOf(run: () => unknown): ProviderError {
  try {
    run();
  } catch (error) {
    if (ProviderError.isInstance(error)) return error;
    throw error;
  }
  throw new Error('The function threw nothing');
}
