import { randomUUID } from 'node:crypto';
import { ProviderError } from '../../base/errors/provider-error.js';
import { digestJson } from '../../base/json/digest-json.js';
import { settlesWithin } from '../../base/process/timing.js';
import { cleanLine } from '../../base/text/clean-text.js';
import type { JobHandle } from '../job-info.js';
import { packJob, peekJob } from '../protocol/envelope.js';
import { CANCEL_EVENT } from '../protocol/event-batch.js';
import { controlNameOf, joinJobId, labelsOfJob, queueNameOf } from '../protocol/labels.js';
import { writePayload } from '../protocol/payload.js';
import { createTrust, type SigningTrust } from '../protocol/signature.js';
import { type OpenStore, openStore } from '../store/open-store.js';
import type { BullJob } from '../store/queue-store.js';
import type { ClientSettings } from './client-settings.js';
import { JobAdder } from './job-adder.js';
import type { FollowRequest } from './job-inbox.js';
import { JobWatch } from './job-watch.js';
import type { QueuedRequest } from './queued-request.js';
import { lifeOf, sendWorkspace } from './workspace-choice.js';

/** Longest wait for cancels that are under way. */
const CLOSE_WAIT_MS = 5_000;

/** A store that is open, with what a caller needs of it. */
export interface OpenClient {
  readonly store: OpenStore;
  readonly watch: JobWatch;
  readonly adder: JobAdder;
  readonly trust: SigningTrust;
}

/** The caller's side of a queue. The connection is opened at the first request, and again if that fails. */
export class QueueClient {
  readonly settings: ClientSettings;
  #opening: Promise<OpenClient> | undefined;
  readonly #closing = new AbortController();
  readonly #cancels = new Set<Promise<boolean>>();

  constructor(settings: ClientSettings) {
    this.settings = settings;
  }

  /** Opens the store. Throws a `ProviderError`. */
  async open(): Promise<OpenClient> {
    if (this.#closing.signal.aborted) throw closedError();
    const opening = this.#opening ?? this.#connect();
    this.#opening = opening;
    try {
      return await opening;
    } catch (error) {
      if (this.#opening === opening) this.#opening = undefined;
      throw error;
    }
  }

  async close(): Promise<void> {
    // A job must not go on because the connection was closed before the store knew of the cancel.
    await settlesWithin(Promise.allSettled(this.#cancels), CLOSE_WAIT_MS);
    this.#closing.abort(closedError());
    const client = await this.#opening?.catch(() => undefined);
    client?.watch.close();
    await client?.store.close();
  }

  /** Puts a step on the queue, unless a job with its key is there. */
  async enqueue(request: QueuedRequest): Promise<JobHandle> {
    const { store, watch, adder, trust } = await this.open();
    const { settings } = this;
    const { labels, idempotencyKey, sessionProject, traceparent } = request;
    const id = joinJobId(
      labels,
      idempotencyKey === undefined ? randomUUID() : digestJson(idempotencyKey),
    );
    return store.ask(async () => {
      const queueName = await store.register(labels);
      await watch.listen(queueName);
      if (idempotencyKey !== undefined && (await store.queue(queueName).getJob(id)) !== undefined)
        return { id, isNew: false };
      const workspace = await sendWorkspace(request, settings, store);
      const lifeMs = lifeOf(settings);
      const createdAtMs = store.nowMs();
      // See `EndedJobs`.
      const doesStoreCount = store.address.kind === 'redis';
      const data = packJob(
        {
          jobId: id,
          createdAtMs,
          expiresAtMs: createdAtMs + settings.waitTimeoutMs,
          title: cleanLine(request.prompt),
          prompt: await writePayload(request.prompt, store.blobs, lifeMs),
          options: request.options,
          labels: [...labels],
          workspace,
          keepMs: settings.keepMs,
          ...(!doesStoreCount && { keepCount: settings.keepCount }),
          ...(sessionProject !== undefined && { sessionProject }),
          ...(traceparent !== undefined && { traceparent }),
        },
        trust,
      );
      const { attempts, keepMs } = settings;
      const keepCount = doesStoreCount ? settings.keepCount : undefined;
      const { priority } = request;
      await adder.add(queueName, {
        id,
        data,
        createdAtMs,
        attempts,
        priority,
        keepMs,
        keepCount,
      });
      return { id, isNew: true };
    });
  }

  /** Returns what is needed to follow a job that was just put on the queue. */
  async followNew({ id }: JobHandle): Promise<FollowRequest> {
    const { store, watch, trust } = await this.open();
    const queueName = queueNameOf(store.name, labelsOfJob(id));
    const expiresAtMs = store.nowMs() + this.settings.waitTimeoutMs;
    return { id, queueName, store, watch, trust, expiresAtMs, isNew: true };
  }

  /** Returns what is needed to follow a job. Throws INVALID_INPUT if there is no such job. */
  async find(id: string): Promise<{ readonly job: BullJob; readonly follow: FollowRequest }> {
    const { store, watch, trust } = await this.open();
    const queueName = queueNameOf(store.name, labelsOfJob(id));
    const job = await store.ask(() => store.queue(queueName).getJob(id));
    if (job === undefined) throw unknownJob(id);
    await store.ask(() => watch.listen(queueName));
    const expiresAtMs = peekJob(id, job.data)?.expiresAtMs ?? Number.POSITIVE_INFINITY;
    return { job, follow: { id, queueName, store, watch, trust, expiresAtMs } };
  }

  /** Cancels a job: removes it if no worker has it, else asks its worker. False if the job has ended before. */
  async cancel(id: string, reason: string): Promise<boolean> {
    const cancelling = this.#cancel(id, reason);
    this.#cancels.add(cancelling);
    try {
      return await cancelling;
    } finally {
      this.#cancels.delete(cancelling);
    }
  }

  async #cancel(id: string, reason: string): Promise<boolean> {
    const { store, watch } = await this.open();
    const queueName = queueNameOf(store.name, labelsOfJob(id));
    return store.ask(async () => {
      const queue = store.queue(queueName);
      const job = await queue.getJob(id);
      if (job === undefined) throw unknownJob(id);
      if (job.finishedOn !== undefined) return false;
      const state = await queue.getJobState(id);
      if (state !== 'active' && (await removed(job))) {
        await watch.look(id);
        return true;
      }
      // PostgreSQL refuses some control characters, and the job would go on.
      await job.updateData({ ...job.data, cancelled: { reason: cleanLine(reason) } });
      await store.producer(controlNameOf(store.name)).publish(CANCEL_EVENT, { id });
      return true;
    });
  }

  async #connect(): Promise<OpenClient> {
    const { connection, pollMs, onConnection } = this.settings;
    const store = await openStore(connection, onConnection, this.#closing.signal);
    const trust = createTrust(connection, store.address);
    return { store, trust, watch: new JobWatch(store, trust, pollMs), adder: new JobAdder(store) };
  }
}

/** Removes a job. False if a worker has taken it meanwhile. */
async function removed(job: BullJob): Promise<boolean> {
  try {
    await job.remove();
    return true;
  } catch {
    return false;
  }
}

export function unknownJob(id: string): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `The queue has no job ${cleanLine(id)}`,
    hint: 'List the jobs with `gemini-cli-provider queue list`. Ended jobs are removed after a while.',
  });
}

function closedError(): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: 'The provider was disposed of',
    hint: 'Create a new provider for further steps.',
  });
}
