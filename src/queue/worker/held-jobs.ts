import type { BullJob, BullWorker } from '../store/queue-store.js';
import { JobEnds } from './job-ends.js';
import { LockWatch } from './lock-watch.js';
import type { RunningJobs } from './running-jobs.js';
import type { JobFinishedEvent } from './step-worker-event.js';

interface HeldRequest {
  readonly lockMs: number;
  readonly running: Pick<RunningJobs, 'end'>;
  /** Tells the end of an attempt. */
  readonly tell: (event: JobFinishedEvent) => void;
  /** False while the connection to the store is lost. */
  readonly isConnected: () => boolean;
  /** What the store reported last. Undefined if the store works. */
  readonly lastError: () => string | undefined;
}

/** Jobs that this worker has: their locks while they run, and their ends until the store has them. */
export class HeldJobs {
  readonly #request: HeldRequest;
  readonly #ends: JobEnds;
  readonly #locks: LockWatch;

  constructor(request: HeldRequest) {
    this.#request = request;
    this.#ends = new JobEnds(request.tell);
    this.#locks = new LockWatch(request.lockMs, (id, isTaken) => this.#lose(id, isTaken));
  }

  /** Listens to the locks and the ends of a worker of BullMQ. */
  follow(worker: BullWorker): void {
    this.#locks.follow(worker);
    for (const name of ['completed', 'failed'])
      worker.events.on(name, (job?: Pick<BullJob, 'id'>) => {
        this.#locks.end(job?.id ?? '');
        this.#ends.written(job?.id ?? '');
      });
  }

  begin(id: string): void {
    this.#ends.lost(id, 'its end was not written, and the job was taken again');
    this.#locks.begin(id);
  }

  /** Keeps the end of an attempt until BullMQ has written it. */
  expect(event: JobFinishedEvent): void {
    this.#ends.expect(event);
  }

  /** The attempt is over. BullMQ renews the lock no more, and writes the end, if there is one. */
  settle(id: string): void {
    if (this.#ends.has(id)) this.#locks.begin(id);
    else this.#locks.end(id);
  }

  /** No further end will be written. */
  stop(): void {
    this.#locks.stop();
    this.#ends.allLost(this.#describe('its end was not written before the worker ended'));
  }

  #lose(id: string, isTaken: boolean): void {
    const why = isTaken
      ? 'the job was taken from this worker'
      : this.#describe('its lock could not be renewed');
    this.#request.running.end(id, { kind: 'lost', why });
    // While the store is away, BullMQ still writes the end.
    if (!this.#ends.has(id) || !this.#request.isConnected()) return;
    this.#locks.end(id);
    this.#ends.lost(id, this.#describe('its end could not be written'));
  }

  #describe(fault: string): string {
    const error = this.#request.lastError();
    return error === undefined ? fault : `${fault}: ${error}`;
  }
}
