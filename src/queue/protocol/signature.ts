import { createHmac, timingSafeEqual } from 'node:crypto';
import { ProviderError } from '../../base/errors/provider-error.js';

/** How one side signs what it sends and checks what it gets. */
export interface SigningTrust {
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

/** Signs a text for one job. Without a secret, the text is not signed. */
export function sign(
  kind: SignedKind,
  jobId: string,
  text: string,
  { secret }: SigningTrust,
): SignedText {
  return secret === undefined ? { text } : { text, signature: hash(secret, kind, jobId, text) };
}

/** True if the signature is right, or if there is none and unsigned texts are accepted. */
export function isTrusted(
  kind: SignedKind,
  jobId: string,
  { text, signature }: SignedText,
  { secret, acceptsUnsigned }: SigningTrust,
): boolean {
  if (secret === undefined) return acceptsUnsigned;
  // With a secret, a text without a signature comes from a side that does not know the secret.
  if (signature === undefined) return false;
  const wanted = Buffer.from(hash(secret, kind, jobId, text));
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
    signed.signature === undefined ? 'is not signed' : 'has a signature of another secret';
  throw new ProviderError({
    code: 'INVALID_CONFIG',
    message: `The ${kind} of job ${jobId} ${problem}`,
    hint:
      trust.secret === undefined
        ? 'Give both sides the same `secret` (GEMINI_CLI_PROVIDER_QUEUE_SECRET), or allow unsigned jobs with `allowUnsigned`.'
        : `Give the ${sender} the same \`secret\` (GEMINI_CLI_PROVIDER_QUEUE_SECRET).`,
  });
}

function hash(secret: string, kind: SignedKind, jobId: string, text: string): string {
  return createHmac('sha256', secret).update(`${kind}\n${jobId}\n${text}`).digest('hex');
}
