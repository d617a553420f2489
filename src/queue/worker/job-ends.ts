import type { JobFinishedEvent } from './step-worker-event.js';

/**
 * Ends of attempts that the store does not have yet. The end is told when BullMQ has written it: a store that refuses the write
 * gives the job to the next attempt, and a success would count twice.
 */
export class JobEnds {
  readonly #waiting = new Map<string, JobFinishedEvent>();
  readonly #tell: (event: JobFinishedEvent) => void;

  constructor(tell: (event: JobFinishedEvent) => void) {
    this.#tell = tell;
  }

  /** True if the end of this job is on its way to the store. */
  has(jobId: string): boolean {
    return this.#waiting.has(jobId);
  }

  /** Keeps an end until it is written. */
  expect(event: JobFinishedEvent): void {
    this.lost(event.jobId, 'a later attempt has ended before');
    this.#waiting.set(event.jobId, event);
  }

  /** BullMQ has written the end of the job. */
  written(jobId: string): void {
    const event = this.#waiting.get(jobId);
    if (event === undefined) return;
    this.#waiting.delete(jobId);
    this.#tell(event);
  }

  /** The end of the job is not in the store, and this worker has no right to the job any more. */
  lost(jobId: string, why: string): void {
    const event = this.#waiting.get(jobId);
    if (event === undefined) return;
    this.#waiting.delete(jobId);
    const { type, attempt, durationMs } = event;
    this.#tell({ type, jobId, attempt, outcome: 'lost', durationMs, message: why });
  }

  /** The worker ends: no further end will be written. */
  allLost(why: string): void {
    for (const jobId of [...this.#waiting.keys()]) this.lost(jobId, why);
  }
}
