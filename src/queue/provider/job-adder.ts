import type { SignedText } from '../protocol/signature.js';
import type { OpenStore } from '../store/open-store.js';
import type { BullQueue } from '../store/queue-store.js';

/** Most jobs in one request. */
const MOST_JOBS = 200;

/** A job that is to be added. */
export interface NewJob {
  readonly id: string;
  readonly data: SignedText;
  /** Time of the store. */
  readonly createdAtMs: number;
  readonly attempts: number;
  readonly priority: number;
  readonly keepMs: number;
  /** Undefined if workers remove the oldest jobs. */
  readonly keepCount: number | undefined;
}

type BulkJob = Parameters<BullQueue['addBulk']>[0][number];

interface Waiting {
  readonly job: NewJob;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Adds jobs. Jobs that are added at the same time share a request: thousands of single ones take several times as long. */
export class JobAdder {
  readonly #store: OpenStore;
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #adding = new Set<string>();

  constructor(store: OpenStore) {
    this.#store = store;
  }

  /** Adds a job. A job with the same id that is in the queue already stays as it is. */
  add(queueName: string, job: NewJob): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(queueName) ?? [];
      this.#waiting.set(queueName, waiting);
      waiting.push({ job, resolve, reject });
      if (!this.#adding.has(queueName)) setImmediate(() => void this.#flush(queueName));
    });
  }

  async #flush(queueName: string): Promise<void> {
    if (this.#adding.has(queueName)) return;
    this.#adding.add(queueName);
    const queue = this.#store.queue(queueName);
    const waiting = this.#waiting.get(queueName) ?? [];
    while (waiting.length > 0) {
      const group = waiting.splice(0, MOST_JOBS);
      try {
        await addAll(queue, group);
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#adding.delete(queueName);
  }
}

/** Adds the jobs of a group in one request. For a single job, PostgreSQL would make and drop two tables in `addBulk`. */
async function addAll(queue: BullQueue, group: readonly Waiting[]): Promise<void> {
  const [first, ...others] = group.map(({ job }) => toBullJob(job));
  if (first === undefined) return;
  if (others.length > 0) await queue.addBulk([first, ...others]);
  else await queue.add(first.name, first.data, first.opts);
}

function toBullJob({
  id,
  data,
  createdAtMs,
  attempts,
  priority,
  keepMs,
  keepCount,
}: NewJob): BulkJob {
  const age = Math.ceil(keepMs / 1_000);
  const keep = keepCount === undefined ? { age } : { age, count: keepCount };
  return {
    name: 'step',
    data,
    opts: {
      jobId: id,
      timestamp: createdAtMs,
      attempts,
      backoff: { type: 'exponential', delay: 1_000 },
      removeOnComplete: keep,
      removeOnFail: keep,
      stackTraceLimit: 0,
      ...(priority > 0 && { priority }),
    },
  };
}
