import { z } from 'zod';
import type { ProviderErrorData } from '../../api/error.js';
import { ERROR_CODES } from '../../base/errors/codes.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { isObject } from '../../base/json/is-object.js';
import { jobReportSchema } from './job-progress.js';
import { payloadSchema } from './payload.js';
import { assertTrusted, type SignedText, type SigningTrust, sign } from './signature.js';
import { assertProtocolOf, PROTOCOL, versionSchema } from './version.js';

const outcomeSchema = z.object({
  protocol: versionSchema,
  job: jobReportSchema,
  /** JSON of `{ result, messages }` of a success, or of the data of the error. */
  content: payloadSchema,
  /** Changes of a shipped workspace, as the workspace describes them. */
  changes: z.unknown().optional(),
});
/** How an attempt ended, as the worker writes it. */
export type Outcome = z.output<typeof outcomeSchema>;

const signedSchema = z.object({ text: z.string(), signature: z.string().optional() });

/** Packs the outcome of an attempt. */
export function packOutcome(
  kind: 'result' | 'error',
  outcome: Omit<Outcome, 'protocol'>,
  trust: SigningTrust,
): SignedText {
  const text = JSON.stringify({ protocol: PROTOCOL, ...outcome });
  return sign(kind, outcome.job.jobId, text, trust);
}

/** Checks signature, version and form of an outcome. Undefined if the value is none: BullMQ itself has ended the job. */
export function unpackOutcome(
  kind: 'result' | 'error',
  jobId: string,
  value: unknown,
  trust: SigningTrust,
): Outcome | undefined {
  const signed = signedSchema.safeParse(typeof value === 'string' ? parse(value) : value);
  if (!signed.success) return undefined;
  assertTrusted(kind, jobId, signed.data, trust);
  const content = parse(signed.data.text);
  assertProtocolOf(content, 'worker');
  const outcome = outcomeSchema.safeParse(content).data;
  return outcome?.job.jobId === jobId ? outcome : undefined;
}

/** Creates an error from its data, as another process has written it. */
export function reviveError(data: unknown): ProviderError {
  if (isErrorData(data)) return new ProviderError(data);
  return new ProviderError({
    code: 'PROTOCOL',
    message: 'The worker reported an error that this version does not understand',
    hint: 'Install the same version of gemini-cli-provider on both sides of the queue.',
  });
}

function isErrorData(data: unknown): data is ProviderErrorData {
  if (!isObject(data)) return false;
  const { code, message, hint } = data;
  const isText = typeof message === 'string' && typeof hint === 'string';
  return isText && typeof code === 'string' && Object.hasOwn(ERROR_CODES, code);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
