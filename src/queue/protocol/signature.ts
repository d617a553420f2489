import { createHmac, timingSafeEqual } from 'node:crypto';
import { ProviderError } from '../../base/errors/provider-error.js';

/** How one side signs what it sends and checks what it gets. */
export interface SigningTrust {
  /** Name of the queue. Part of the signature, so that a job of one queue is refused on another with the same secret. */
  readonly queue: string;
  readonly secret: string | undefined;
  /** True if texts without a signature are accepted: the store is on loopback, or the user has allowed them. */
  readonly acceptsUnsigned: boolean;
}

/** What a text is. Part of the signature, so that a text of one kind never passes for another. */
export type SignedKind = 'job' | 'result' | 'error' | 'events';

/** A text with the signature of its sender. */
export interface SignedText {
  readonly text: string;
  readonly signature?: string | undefined;
}

/** Returns how a side of a queue signs and checks. Only programs of this machine can write to a store on loopback. */
export function createTrust(
  connection: {
    readonly name: string;
    readonly secret: string | undefined;
    readonly allowUnsigned: boolean;
  },
  address: { readonly isLoopback: boolean },
): SigningTrust {
  const acceptsUnsigned = connection.allowUnsigned || address.isLoopback;
  return { queue: connection.name, secret: connection.secret, acceptsUnsigned };
}

/** Signs a text for one job. Without a secret, the text is not signed. */
export function sign(
  kind: SignedKind,
  jobId: string,
  text: string,
  { secret, queue }: SigningTrust,
): SignedText {
  if (secret === undefined) return { text };
  return { text, signature: hash(secret, [queue, kind, jobId, text]) };
}

/** True if the signature is right, or if there is none and unsigned texts are accepted. */
export function isTrusted(
  kind: SignedKind,
  jobId: string,
  { text, signature }: SignedText,
  { secret, acceptsUnsigned, queue }: SigningTrust,
): boolean {
  if (secret === undefined) return acceptsUnsigned;
  // With a secret, a text without a signature comes from a side that does not know the secret.
  if (signature === undefined) return false;
  const wanted = Buffer.from(hash(secret, [queue, kind, jobId, text]));
  const given = Buffer.from(signature);
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}

/** Throws INVALID_CONFIG unless the text is trusted. */
export function assertTrusted(
  kind: SignedKind,
  jobId: string,
  signed: SignedText,
  trust: SigningTrust,
): void {
  if (isTrusted(kind, jobId, signed, trust)) return;
  const sender = kind === 'job' ? 'caller' : 'worker';
  const problem =
    signed.signature === undefined
      ? 'is not signed'
      : 'has a signature of another secret or for another queue';
  throw new ProviderError({
    code: 'INVALID_CONFIG',
    message: `The ${kind === 'job' ? 'job' : `${kind} of job`} ${jobId} ${problem}`,
    hint:
      trust.secret === undefined
        ? 'Give both sides the same `secret` (GEMINI_CLI_PROVIDER_QUEUE_SECRET), or accept unsigned ones with `allowUnsigned` (`--allow-unsigned`).'
        : `Give the ${sender} the same \`secret\` (GEMINI_CLI_PROVIDER_QUEUE_SECRET).`,
  });
}

/** Characters of a fingerprint: enough to tell secrets apart. */
const FINGERPRINT_LENGTH = 16;
/** Fingerprint of a side without a secret. */
export const NO_SECRET = 'none';

/** Returns a text that two sides of a queue have in common if they have the same secret. The text does not tell the secret. */
export function fingerprintOf({ secret, queue }: Pick<SigningTrust, 'secret' | 'queue'>): string {
  if (secret === undefined) return NO_SECRET;
  return hash(secret, [queue, 'worker']).slice(0, FINGERPRINT_LENGTH);
}

/** Signs the parts. JSON keeps them apart: no part can pass for the end of the one before it. */
function hash(secret: string, parts: readonly string[]): string {
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('hex');
}
