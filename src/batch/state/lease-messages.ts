import { ProviderError } from '../../base/errors/provider-error.js';
import { describeProcess } from '../../base/process/process-identity.js';
import { leavingSteps } from '../../base/process/takeover.js';
import type { LeaseContent } from './lease-file.js';

/** Creates the error of a second batch: the owner of the lease is alive. */
export function leaseInUse(subject: string, content: LeaseContent | undefined): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `Another batch uses ${subject}: ${describeOwner(content)}`,
    hint: 'Watch that batch with `batch watch DIR`, or end it with `batch stop DIR`, where DIR is its --out. Then run the same command again.',
  });
}

/** Creates the error of a run whose lease was taken over while the run did not answer. */
export function leaseLost(subject: string): ProviderError {
  const error = new ProviderError({
    code: 'INVALID_INPUT',
    message: `Another batch has taken over ${subject}, because this run did not renew its lease in time`,
    hint: 'This run has stopped and writes nothing more. Nothing that it had finished is lost: the other batch continues with it.',
  });
  return leavingSteps(error);
}

/** Creates the message for the time in which a batch waits for the lease of another one to expire. */
export function leaseWait(
  subject: string,
  content: LeaseContent | undefined,
  leaseMs: number,
): string {
  return `The last batch that used ${subject} does not answer (${describeOwner(content)}). The batch waits until the lease expires, at most ${Math.ceil(leaseMs / 1000)} seconds`;
}

/** Creates the error of a batch that is cancelled while it waits for a lease. */
export function leaseWaitCancelled(subject: string): ProviderError {
  return new ProviderError({
    code: 'CANCELLED',
    message: `The batch was cancelled while it waited for the lease of ${subject}`,
    hint: 'No step was run. Run the same command again to start the batch.',
  });
}

/** Names the process of a lease, with its container or machine. */
export function describeOwner(content: LeaseContent | undefined): string {
  if (content === undefined)
    return 'the owner is unknown, because the lease is damaged or signed with another key';
  const { owner, startedAt } = content;
  const here = describeProcess();
  const isElsewhere = owner.boot !== here.boot || owner.pidNamespace !== here.pidNamespace;
  const where = owner.host === here.host ? ' in another container' : ` on ${owner.host}`;
  return `process ${owner.pid}${isElsewhere || owner.host !== here.host ? where : ''}, started ${startedAt}`;
}
