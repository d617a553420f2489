import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { AgentEvent } from '../api/agent-event.js';
import type { ContextKeys } from '../api/response-provider.js';
import type { GenerateResult } from '../api/result.js';
import { invalidInput } from '../base/errors/invalid-input.js';
import { ProviderError } from '../base/errors/provider-error.js';
import { followSignal } from '../base/process/abort-listeners.js';
import { toSeconds } from '../base/text/parse-duration.js';
import { durationField, textField, wholeField } from '../config/fields.js';
import { CancellableStream } from '../step/cancellable-stream.js';
import type { JobHandle, JobInfo, QueueStatus } from './job-info.js';
import { renewJob } from './protocol/envelope.js';
import { parseProgress } from './protocol/job-progress.js';
import { isJobId } from './protocol/labels.js';
import { parseClientSettings } from './provider/client-settings.js';
import { endOfStep } from './provider/end-of-step.js';
import { followJob } from './provider/follow-job.js';
import { mapJobInfo, mapState } from './provider/map-job-info.js';
import { QueueClient, unknownJob } from './provider/queue-client.js';
import { cleanJobs, drainJobs, listJobs, readQueueStatus } from './provider/queue-overview.js';
import type { QueuedOptions } from './provider/queued-provider-options.js';
import { acceptStep } from './provider/queued-request.js';
import { parseSettings } from './queue-settings.js';
import type {
  JobCleanOptions,
  JobListOptions,
  JobResultOptions,
  StepQueueOptions,
} from './step-queue-options.js';
import { endPause } from './worker/queue-pause.js';

/** The queue for an application that does not want to wait: put steps on it, watch, cancel and list them. */
export class StepQueue {
  readonly #client: QueueClient;

  /** Checks the options. Throws INVALID_CONFIG with every problem at once. Connects to the store at the first call. */
  constructor(options: StepQueueOptions = {}) {
    this.#client = new QueueClient(parseClientSettings(options));
  }

  /** Puts a step on the queue. A job with the same `context.idempotencyKey` that is there already stays as it is. */
  async enqueue(
    prompt: string,
    context: object & ContextKeys = {},
    options: QueuedOptions = {},
  ): Promise<JobHandle> {
    return this.#client.enqueue(acceptStep(prompt, context, options, this.#client.settings));
  }

  /** Yields the events of a job from now on. The last event is `turn-complete`. Leaving the loop does not cancel the job. */
  watch(id: string): AsyncGenerator<AgentEvent, void> {
    const left = new AbortController();
    return new CancellableStream(this.#watch(id, left.signal, undefined), () => left.abort());
  }

  /** Waits for the end of a job. Returns its result, or throws its error. */
  async result(id: string, options: JobResultOptions = {}): Promise<GenerateResult> {
    const given = parseSettings(options, {
      applyTo: textField,
      signal: z.instanceof(AbortSignal, { error: 'must be an AbortSignal' }),
    });
    const { signal, stop } = followSignal(given.signal);
    try {
      for await (const event of this.#watch(id, signal, given.applyTo)) {
        if (event.type === 'turn-complete' && event.result !== undefined) return event.result;
      }
    } finally {
      stop();
    }
    throw new ProviderError({ code: 'UNKNOWN', message: `The job ${id} ended without a result` });
  }

  /** Cancels a job. Returns false if the job has ended before. Throws INVALID_INPUT if there is no such job. */
  async cancel(id: string, reason = 'cancelled by its queue'): Promise<boolean> {
    if (typeof reason !== 'string') throw invalidInput('reason', 'a text', reason);
    return this.#client.cancel(checkId(id), reason);
  }

  /** Lists jobs, the newest first. */
  async list(options: JobListOptions = {}): Promise<JobInfo[]> {
    const { state, limit = 100 } = parseSettings(options, {
      state: z.enum(['waiting', 'active', 'delayed', 'completed', 'failed']),
      limit: wholeField(1, 100_000),
    });
    const { store } = await this.#client.open();
    return store.ask(() => listJobs(store, state, limit));
  }

  /** Describes one job. Throws INVALID_INPUT if there is no such job. */
  async show(id: string): Promise<JobInfo> {
    const { follow } = await this.#client.find(checkId(id));
    const { store } = follow;
    return store.ask(async () => {
      const queue = store.queue(follow.queueName);
      const state = await queue.getJobState(id);
      // The job is read after its state: a job that has just ended has its error then.
      const job = await queue.getJob(id);
      if (state === 'unknown' || job === undefined) throw unknownJob(id);
      return mapJobInfo(job, mapState(state), store.blobs);
    });
  }

  /**
   * Puts a failed job on the queue again, with its whole time to wait for a worker. Throws INVALID_INPUT if there is no such
   * failed job.
   */
  async retry(id: string): Promise<void> {
    const { job, follow } = await this.#client.find(checkId(id));
    const { store } = follow;
    await store.ask(async () => {
      const state = mapState(await store.queue(follow.queueName).getJobState(id));
      if (state !== 'failed')
        throw new ProviderError({
          code: 'INVALID_INPUT',
          message: `The job ${id} is ${state}: only a failed job can be tried again`,
          hint: 'List the failed jobs with `gemini-cli-provider queue list --state failed`.',
        });
      await job.updateData(renewJob(id, job.data, follow.trust, store.nowMs()));
      const progress = parseProgress(job.progress);
      if (progress !== undefined)
        await job.updateProgress({ ...progress, rateLimits: 0, rateLimitedMs: 0 });
      await job.retry('failed', { resetAttemptsMade: true });
    });
  }

  /** Removes all jobs that no worker has taken yet. Returns their number. */
  async drain(): Promise<number> {
    const { store } = await this.#client.open();
    return store.ask(() => drainJobs(store));
  }

  /** Removes ended jobs. Returns their number. */
  async clean(options: JobCleanOptions = {}): Promise<number> {
    const { olderThan, keep = 0 } = parseSettings(options, {
      olderThan: z.union([z.literal(0), durationField]),
      keep: wholeField(0),
    });
    const { store } = await this.#client.open();
    return store.ask(() => cleanJobs(store, (toSeconds(olderThan) ?? 0) * 1_000, keep));
  }

  /** Ends a pause of the whole queue before its time. */
  async resume(): Promise<void> {
    const { store } = await this.#client.open();
    await store.ask(() => endPause(store));
  }

  /** Describes the whole queue: jobs, workers, pause. */
  async status(): Promise<QueueStatus> {
    const { store } = await this.#client.open();
    return store.ask(() => readQueueStatus(store));
  }

  /** Closes the connection to the store. Jobs go on. */
  async close(): Promise<void> {
    await this.#client.close();
  }

  /** Same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async *#watch(
    id: string,
    detached: AbortSignal,
    applyTo: string | undefined,
  ): AsyncGenerator<AgentEvent, void> {
    const { follow } = await this.#client.find(checkId(id));
    const generationId = randomUUID();
    const startedAtMs = Date.now();
    const events = followJob(follow, { detached });
    let next = await events.next();
    for (; next.done !== true; next = await events.next()) yield { ...next.value, generationId };
    const end = await endOfStep(next.value, {
      client: this.#client,
      jobId: id,
      generationId,
      context: {},
      applyTo,
      durationMs: Date.now() - startedAtMs,
    });
    yield { ...end.event, generationId };
    if (end.error !== undefined) throw end.error;
  }
}

function checkId(id: string): string {
  if (typeof id !== 'string' || id === '' || id.length > 1_000)
    throw invalidInput('id', 'the id of a job', id);
  if (!isJobId(id)) throw unknownJob(id);
  return id;
}
