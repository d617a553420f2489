import type { OpenStore } from '../store/open-store.js';

/** Ends of jobs after which the oldest ended jobs are removed: a part of the number that is kept, within limits. */
const PART_OF_KEPT = 20;
const [FEWEST_ENDS, MOST_ENDS] = [20, 500];
const STATES = ['completed', 'failed'] as const;

/**
 * Removes ended jobs beyond the number that is kept, on PostgreSQL. BullMQ would look at all ended jobs of the queue at each end
 * of a job, so that each step would take longer than the one before. Redis counts them itself.
 */
export class EndedJobs {
  readonly #store: OpenStore;
  readonly #ends = new Map<string, number>();
  #removing: Promise<void> | undefined;

  constructor(store: OpenStore) {
    this.#store = store;
  }

  /** Counts the end of a job. From time to time, the oldest jobs of its queue are then removed, in the background. */
  ended(queueName: string, keepCount: number | undefined): void {
    if (keepCount === undefined || this.#store.address.kind !== 'postgres') return;
    const ends = (this.#ends.get(queueName) ?? 0) + 1;
    this.#ends.set(queueName, ends);
    const enough = Math.min(MOST_ENDS, Math.max(FEWEST_ENDS, keepCount / PART_OF_KEPT));
    if (ends < enough || this.#removing !== undefined) return;
    this.#ends.set(queueName, 0);
    this.#removing = this.#remove(queueName, keepCount)
      // The next ends try it again.
      .catch(() => {})
      .finally(() => (this.#removing = undefined));
  }

  async #remove(queueName: string, keepCount: number): Promise<void> {
    const queue = this.#store.queue(queueName);
    for (const state of STATES) {
      const [first] = await queue.getJobs([state], keepCount, keepCount, false);
      if (first?.finishedOn === undefined) continue;
      // BullMQ takes the age from its own clock, that of this machine: the sum is the time of the end, whatever the clock says.
      await queue.clean(Math.max(0, Date.now() - first.finishedOn), 0, state);
    }
  }
}
