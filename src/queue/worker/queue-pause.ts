import { z } from 'zod';
import type { ProviderError } from '../../base/errors/provider-error.js';
import { halveLimit, successesToGrow } from '../../batch/run/concurrency-limit.js';
import type { QueuePause } from '../job-info.js';
import { queueNameOf } from '../protocol/labels.js';
import type { OpenStore } from '../store/open-store.js';
import { listWorkers } from './worker-registry.js';

const PAUSE_KEY = 'control/pause';
const LIMIT_KEY = 'control/limit';
/** Pause after RATE_LIMITED without a time: doubled each time, up to the longest. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [2_000, 60_000];
/** Pause after QUOTA_EXHAUSTED without a time. One step is then spent to find out whether the quota is back. */
const QUOTA_PAUSE_MS = 15 * 60_000;
const LIMIT_TTL_MS = 60 * 60_000;

const limitSchema = z.object({ limit: z.int().min(1), halvedAtMs: z.number() });
const pauseSchema = z.object({
  code: z.enum(['RATE_LIMITED', 'QUOTA_EXHAUSTED']),
  message: z.string(),
  worker: z.string(),
  until: z.string(),
});

/** Returns the length of the pause after an error. `before` is the number of pauses that the job had already. */
export function pauseAfter(error: ProviderError, before: number): number {
  if (error.retryAfterMs !== undefined) return Math.max(1, error.retryAfterMs);
  if (error.code === 'QUOTA_EXHAUSTED') return QUOTA_PAUSE_MS;
  return Math.min(FIRST_PAUSE_MS * 2 ** before, LONGEST_PAUSE_MS);
}

/** Pauses all queues of all workers. A longer pause that is in force stays. Returns the pause. */
export async function pauseQueues(
  store: OpenStore,
  error: Pick<ProviderError, 'message'> & { readonly code: QueuePause['code'] },
  worker: string,
  ms: number,
): Promise<QueuePause> {
  const until = new Date(store.nowMs() + ms).toISOString();
  const pause = { code: error.code, message: error.message, worker, until };
  const present = await readPause(store);
  if (present !== undefined && present.until >= until) return present;
  for (const labels of await store.requirements()) {
    await store.queue(queueNameOf(store.name, labels)).rateLimit(Math.ceil(ms));
  }
  await store.blobs.put(PAUSE_KEY, Buffer.from(JSON.stringify(pause)), ms);
  return pause;
}

/** Reads the pause that is in force. */
export async function readPause(store: OpenStore): Promise<QueuePause | undefined> {
  return readJson(store, PAUSE_KEY, pauseSchema);
}

/** Ends the pause before its time, and the limit with it. */
export async function endPause(store: OpenStore): Promise<void> {
  for (const labels of await store.requirements()) {
    const queue = store.queue(queueNameOf(store.name, labels));
    await queue.removeRateLimitKey();
    await queue.removeGlobalConcurrency();
  }
  await store.blobs.delete(PAUSE_KEY);
  await store.blobs.delete(LIMIT_KEY);
}

/** Reads how many steps all workers together may run. */
export async function readLimit(store: OpenStore): Promise<number | undefined> {
  return (await readJson(store, LIMIT_KEY, limitSchema))?.limit;
}

/**
 * Concurrency of the whole queue, as one worker sees it. The limit is halved after a rate limit and grows again after
 * successes of all workers together; each worker counts its share of them.
 */
export class SharedLimit {
  readonly #store: OpenStore;
  #successes = 0;
  #isLimited = true;

  constructor(store: OpenStore) {
    this.#store = store;
  }

  /** Halves the limit, unless it was halved after the step had begun. */
  async rateLimited(startedAtMs: number): Promise<void> {
    this.#isLimited = true;
    this.#successes = 0;
    const workers = await listWorkers(this.#store.blobs);
    const most = workers.reduce((sum, { concurrency }) => sum + concurrency, 0);
    const present = await readJson(this.#store, LIMIT_KEY, limitSchema);
    if (present !== undefined && present.halvedAtMs > startedAtMs) return;
    await this.#set(halveLimit(present?.limit ?? Math.max(1, most)), this.#store.nowMs());
  }

  /** Counts a success. Only a queue with a limit costs a request. */
  async succeeded(): Promise<void> {
    if (!this.#isLimited) return;
    this.#successes++;
    const present = await readJson(this.#store, LIMIT_KEY, limitSchema);
    if (present === undefined) {
      this.#isLimited = false;
      return;
    }
    const workers = await listWorkers(this.#store.blobs);
    const share = successesToGrow(present.limit) / Math.max(1, workers.length);
    if (this.#successes < share) return;
    this.#successes = 0;
    const most = workers.reduce((sum, { concurrency }) => sum + concurrency, 0);
    if (present.limit + 1 < most) await this.#set(present.limit + 1, present.halvedAtMs);
    else await this.#lift();
  }

  async #set(limit: number, halvedAtMs: number): Promise<void> {
    const content = Buffer.from(JSON.stringify({ limit, halvedAtMs }));
    await this.#store.blobs.put(LIMIT_KEY, content, LIMIT_TTL_MS);
    for (const labels of await this.#store.requirements()) {
      await this.#store.queue(queueNameOf(this.#store.name, labels)).setGlobalConcurrency(limit);
    }
  }

  async #lift(): Promise<void> {
    this.#isLimited = false;
    await this.#store.blobs.delete(LIMIT_KEY);
    for (const labels of await this.#store.requirements()) {
      await this.#store.queue(queueNameOf(this.#store.name, labels)).removeGlobalConcurrency();
    }
  }
}

async function readJson<T>(
  store: OpenStore,
  key: string,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  const bytes = await store.blobs.get(key);
  if (bytes === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(bytes.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}
