import { halveLimit, successesToGrow } from '../../batch/run/concurrency-limit.js';
import { queueNameOf } from '../protocol/labels.js';
import { findLimit, LIMIT_KEY, type QueueLimit } from '../protocol/queue-controls.js';
import type { OpenStore } from '../store/open-store.js';
import type { BullQueue } from '../store/queue-store.js';
import { listWorkers } from './worker-registry.js';

/** Time after its last change at which a limit is over. */
const LIMIT_TTL_MS = 60 * 60_000;
/** A worker without a heartbeat reads the limit again after this time. */
const REFRESH_MS = 10_000;
/** Time between two searches for limits of BullMQ whose shared limit is over. */
const SEARCH_MS = 60_000;

/**
 * Concurrency of the whole queue, as one worker sees it. The limit is halved after a rate limit and grows again after
 * successes of all workers together; each worker counts its share of them. BullMQ limits each of its queues alone, so that the
 * limit is divided among the requirements of labels that have jobs.
 */
export class SharedLimit {
  readonly #store: OpenStore;
  #successes = 0;
  #present: QueueLimit | undefined;
  #refreshedAtMs = Number.NEGATIVE_INFINITY;
  #searchedAtMs = Number.NEGATIVE_INFINITY;

  constructor(store: OpenStore) {
    this.#store = store;
  }

  /** Halves the limit, unless it was halved after the step had begun. */
  async rateLimited(startedAtMs: number): Promise<void> {
    this.#successes = 0;
    const present = await this.#read();
    if (present !== undefined && present.halvedAtMs > startedAtMs) return;
    const limit = halveLimit(present?.limit ?? Math.max(1, await this.#countSlots()));
    await this.#set(limit, this.#store.nowMs());
  }

  /** Counts a success. Only a queue with a limit costs a request. */
  async succeeded(): Promise<void> {
    if (performance.now() - this.#refreshedAtMs > REFRESH_MS) await this.refresh();
    if (this.#present === undefined) return;
    this.#successes++;
    const present = await this.#read();
    if (present === undefined) return this.#lift();
    const workers = await listWorkers(this.#store.blobs);
    const share = successesToGrow(present.limit) / Math.max(1, workers.length);
    if (this.#successes < share) return;
    this.#successes = 0;
    if (present.limit + 1 < (await this.#countSlots()))
      await this.#set(present.limit + 1, present.halvedAtMs);
    else await this.#lift();
  }

  /**
   * Reads the limit again and hands it to BullMQ: other workers change it, labels come into use, and a limit whose time is over
   * would stay in BullMQ for ever. Called with each heartbeat.
   */
  async refresh(): Promise<void> {
    const wasLimited = this.#present !== undefined;
    const present = await this.#read();
    if (present !== undefined) return this.#share(present.limit);
    this.#successes = 0;
    if (wasLimited || performance.now() - this.#searchedAtMs > SEARCH_MS) await this.#release();
  }

  async #read(): Promise<QueueLimit | undefined> {
    this.#present = await findLimit(this.#store.blobs);
    this.#refreshedAtMs = performance.now();
    return this.#present;
  }

  async #countSlots(): Promise<number> {
    const workers = await listWorkers(this.#store.blobs);
    return workers.reduce((sum, { concurrency }) => sum + concurrency, 0);
  }

  async #set(limit: number, halvedAtMs: number): Promise<void> {
    this.#present = { limit, halvedAtMs };
    const content = Buffer.from(JSON.stringify(this.#present));
    await this.#store.blobs.put(LIMIT_KEY, content, LIMIT_TTL_MS);
    await this.#share(limit);
  }

  async #lift(): Promise<void> {
    await this.#store.blobs.delete(LIMIT_KEY);
    await this.#release();
  }

  /** Divides the limit among the queues that have jobs. Each queue may run at least one. */
  async #share(limit: number): Promise<void> {
    const queues = await this.#queues();
    const areUsed = await Promise.all(queues.map(hasJobs));
    const used = queues.filter((_, index) => areUsed[index]);
    for (const queue of queues) {
      const index = used.indexOf(queue);
      const part =
        index < 0
          ? Math.floor(limit / (used.length + 1))
          : Math.floor(limit / used.length) + (index < limit % used.length ? 1 : 0);
      const share = Math.max(1, part);
      if ((await queue.getGlobalConcurrency()) !== share) await queue.setGlobalConcurrency(share);
    }
  }

  /** Takes the limit away from BullMQ. */
  async #release(): Promise<void> {
    this.#present = undefined;
    this.#searchedAtMs = performance.now();
    for (const queue of await this.#queues())
      if ((await queue.getGlobalConcurrency()) !== null) await queue.removeGlobalConcurrency();
  }

  async #queues(): Promise<BullQueue[]> {
    const requirements = await this.#store.requirements();
    return requirements.map((labels) => this.#store.queue(queueNameOf(this.#store.name, labels)));
  }
}

async function hasJobs(queue: BullQueue): Promise<boolean> {
  const { completed: _ended, failed: _failed, ...open } = await queue.getJobCounts();
  return Object.values(open).some((count) => count > 0);
}
