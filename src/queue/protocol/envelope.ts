import { z } from 'zod';
import { ProviderError } from '../../base/errors/provider-error.js';
import { cleanLine } from '../../base/text/clean-text.js';
import { dotPath } from '../../base/text/dot-path.js';
import { payloadSchema } from './payload.js';
import { assertTrusted, isTrusted, type SignedText, type SigningTrust, sign } from './signature.js';
import { assertProtocolOf, PROTOCOL, versionSchema } from './version.js';

/** Stores refuse times to live outside of these. */
const [MIN_KEEP_MS, MAX_KEEP_MS] = [1, 1e15];

const workspaceSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('shared'),
    dir: z.string(),
    /** Inode and time of birth: another folder under the same path has others. */
    identity: z.object({ inode: z.string(), birthMs: z.number() }),
  }),
  z.object({
    kind: z.literal('ship'),
    /** Working directory at the caller: paths in events and results are mapped back to it. */
    dir: z.string(),
    shipped: z.unknown(),
    setup: z.array(z.string()).optional(),
  }),
]);
export type JobWorkspace = z.output<typeof workspaceSchema>;

const envelopeSchema = z.object({
  protocol: versionSchema,
  jobId: z.string(),
  createdAtMs: z.number(),
  expiresAtMs: z.number(),
  /** Beginning of the prompt, for lists. */
  title: z.string(),
  prompt: payloadSchema,
  options: z.record(z.string(), z.unknown()),
  labels: z.array(z.string()),
  workspace: workspaceSchema,
  /** Time that results stay in the store. */
  keepMs: z.number().min(MIN_KEEP_MS).max(MAX_KEEP_MS),
  /** Number of ended jobs that stay in the store. Absent if the store counts them itself. */
  keepCount: z.int().min(1).optional(),
  sessionProject: z.string().optional(),
  traceparent: z.string().optional(),
});
/** What a caller asks of a worker. Keys that a newer minor version adds are ignored. */
export type Envelope = z.output<typeof envelopeSchema>;

/** Data of a job in BullMQ. A cancel sets `cancelled` later. */
const jobDataSchema = z.object({
  text: z.string(),
  signature: z.string().optional(),
  cancelled: z.object({ reason: z.string() }).optional(),
});

/** Packs an envelope as the data of a job. */
export function packJob(envelope: Omit<Envelope, 'protocol'>, trust: SigningTrust): SignedText {
  const text = JSON.stringify({ ...envelope, protocol: PROTOCOL });
  return sign('job', envelope.jobId, text, trust);
}

/** Reads why a job was cancelled. Undefined if it was not. */
export function readCancelled(data: unknown): string | undefined {
  const reason = jobDataSchema.safeParse(data).data?.cancelled?.reason;
  return reason === undefined ? undefined : cleanLine(reason);
}

/** A job that is signed, but not with the secret of this side, or that is not signed although this side has a secret. */
export interface DoubtfulJob {
  /** Undefined if the job is not signed. */
  readonly signature: string | undefined;
}

/** Returns the doubt about the signature of a job: `right` if there is none, `odd` if no side could have signed the job. */
export function doubtOf(
  jobId: string,
  data: unknown,
  trust: SigningTrust,
): DoubtfulJob | 'right' | 'odd' {
  const signed = jobDataSchema.safeParse(data).data;
  if (signed === undefined) return 'odd';
  return isTrusted('job', jobId, signed, trust) ? 'right' : { signature: signed.signature };
}

/** Checks signature, version and form of a job. Throws INVALID_CONFIG. */
export function unpackJob(jobId: string, data: unknown, trust: SigningTrust): Envelope {
  const parsed = jobDataSchema.safeParse(data);
  if (!parsed.success) throw malformed(jobId, 'has no envelope');
  assertTrusted('job', jobId, parsed.data, trust);
  const envelope = parseEnvelope(jobId, parsed.data.text);
  if (envelope.jobId !== jobId) throw malformed(jobId, `carries the envelope of another job`);
  return envelope;
}

/**
 * Returns the data of a job that is tried again: not cancelled, and with the whole time to wait for a worker. Throws
 * INVALID_CONFIG if the job is not trusted.
 */
export function renewJob(
  jobId: string,
  data: unknown,
  trust: SigningTrust,
  nowMs: number,
): SignedText {
  const envelope = unpackJob(jobId, data, trust);
  const waitMs = envelope.expiresAtMs - envelope.createdAtMs;
  return packJob({ ...envelope, createdAtMs: nowMs, expiresAtMs: nowMs + waitMs }, trust);
}

/** Reads the envelope of a job for a list, without a check of its signature. */
export function peekJob(jobId: string, data: unknown): Envelope | undefined {
  try {
    const parsed = jobDataSchema.safeParse(data);
    return parsed.success ? parseEnvelope(jobId, parsed.data.text) : undefined;
  } catch {
    return undefined;
  }
}

function parseEnvelope(jobId: string, text: string): Envelope {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw malformed(jobId, 'is not JSON');
  }
  assertProtocolOf(content, 'caller');
  const parsed = envelopeSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw malformed(jobId, `lacks ${issue === undefined ? 'its content' : dotPath(issue.path)}`);
}

function malformed(jobId: string, problem: string): ProviderError {
  return new ProviderError({
    code: 'INVALID_CONFIG',
    message: `The job ${jobId} ${problem}: it is not from this package`,
    hint: 'Use a queue name of its own for the steps of this package (`name`).',
  });
}
