import type { AgentEvent } from '../../api/agent-event.js';
import { messageOf } from '../../base/errors/message-of.js';
import { callOnAbort } from '../../base/process/abort-listeners.js';
import { Takeover } from '../../base/process/takeover.js';
import { unlessAborted } from '../../base/process/timing.js';
import type { JobHandle } from '../job-info.js';
import { endOfStep } from './end-of-step.js';
import { type FollowedEnd, followJob } from './follow-job.js';
import type { QueueClient } from './queue-client.js';
import type { QueuedRequest } from './queued-request.js';

export interface QueuedStep {
  readonly client: QueueClient;
  readonly request: QueuedRequest;
  readonly generationId: string;
  /** Aborted when the step is cancelled, the caller leaves the stream, or the provider is disposed of. */
  readonly signal: AbortSignal;
}

/** Runs one step through the queue. The last event is `turn-complete`; after a failed step its error is thrown. */
export async function* runQueuedStep(step: QueuedStep): AsyncGenerator<AgentEvent, void> {
  const { client, request, signal } = step;
  const startedAtMs = Date.now();
  const handle = await enqueue(step);
  const { id } = handle;
  const follow = handle.isNew ? await client.followNew(handle) : (await client.find(id)).follow;
  // With `detach`, only the caller's own signal cancels the job.
  const cancelled = client.settings.detach ? request.signal : signal;
  const detached = client.settings.detach ? signal : undefined;
  const stopListening = cancelled && callOnAbort(cancelled, () => cancel(client, id, cancelled));
  let end: FollowedEnd;
  try {
    end = yield* followJob(follow, { cancelled, detached });
  } finally {
    stopListening?.();
  }
  // A job that waits for labels that no worker has would stay on the queue for ever.
  if (end.isExpired === true && !client.settings.detach)
    await client.cancel(id, 'no worker took the job in time').catch(() => false);
  const settled = await endOfStep(end, {
    client,
    jobId: id,
    generationId: step.generationId,
    context: request.context,
    applyTo: request.workingDir,
    durationMs: Date.now() - startedAtMs,
  });
  yield settled.event;
  if (settled.error !== undefined) throw settled.error;
}

/** Puts the step on the queue. A step that is cancelled meanwhile does not stay there. */
async function enqueue({ client, request, signal }: QueuedStep): Promise<JobHandle> {
  const adding = client.enqueue(request);
  try {
    return await unlessAborted(adding, signal);
  } catch (error) {
    if (signal.aborted && !client.settings.detach)
      void adding.then(({ id }) => cancel(client, id, signal)).catch(() => {});
    throw error;
  }
}

/** Cancels a job, unless the step is left to another run, which waits for the same job. */
function cancel(client: QueueClient, id: string, { reason }: AbortSignal): void {
  if (Takeover.isInstance(reason)) return;
  client.cancel(id, describeReason(reason)).catch((error: unknown) => {
    const fields = { jobId: id, error: messageOf(error) };
    client.settings.connection.logger.warn(fields, 'The job cannot be cancelled');
  });
}

function describeReason(reason: unknown): string {
  if (typeof reason === 'string') return reason;
  // The reason of `abort()` without an argument says nothing.
  const isNamed = reason instanceof Error && reason.name !== 'AbortError';
  return isNamed ? reason.message : 'the caller cancelled the step';
}
