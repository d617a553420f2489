import type { ProviderError } from '../../base/errors/provider-error.js';
import type { QueuePause } from '../job-info.js';
import { queueNameOf } from '../protocol/labels.js';
import { findLimit, findPause, LIMIT_KEY, PAUSE_KEY } from '../protocol/queue-controls.js';
import type { OpenStore } from '../store/open-store.js';

/** Pause after RATE_LIMITED without a time: doubled each time, up to the longest. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [2_000, 60_000];
/** Pause after QUOTA_EXHAUSTED without a time. One step is then spent to find out whether the quota is back. */
const QUOTA_PAUSE_MS = 15 * 60_000;

/** Returns how long an error asks to wait. `before` is the number of pauses that the job had already. */
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
export function readPause(store: Pick<OpenStore, 'blobs'>): Promise<QueuePause | undefined> {
  return findPause(store.blobs);
}

/** Ends the pause before its time, and the limit with it. */
export async function endPause(store: OpenStore): Promise<void> {
  // Workers hand a limit that is in the store to BullMQ again and again, so that it has to go first.
  await store.blobs.delete(PAUSE_KEY);
  await store.blobs.delete(LIMIT_KEY);
  for (const labels of await store.requirements()) {
    const queue = store.queue(queueNameOf(store.name, labels));
    await queue.removeRateLimitKey();
    await queue.removeGlobalConcurrency();
  }
}

/** Reads how many steps all workers together may run. */
export async function readLimit(store: Pick<OpenStore, 'blobs'>): Promise<number | undefined> {
  return (await findLimit(store.blobs))?.limit;
}
