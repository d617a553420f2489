import { queueNameOf, satisfies } from '../protocol/labels.js';
import type { OpenStore } from '../store/open-store.js';
import type { BullWorker } from '../store/queue-store.js';

/** Time between two searches for requirements of labels that this worker satisfies. */
const SEARCH_MS = 2_000;

interface Request {
  readonly store: OpenStore;
  readonly labels: readonly string[];
  readonly concurrency: number;
  readonly createWorker: (queueName: string) => BullWorker;
  readonly countRunning: (queueName?: string) => number;
}

/**
 * Workers of BullMQ, one for each requirement of labels that this worker satisfies, with one limit over all of them: each
 * may take as many jobs as it has, and as many as are free.
 */
export class LabelWorkers {
  readonly #request: Request;
  readonly #workers = new Map<string, BullWorker>();
  readonly #paused = new Set<BullWorker>();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #isClosed = false;

  constructor(request: Request) {
    this.#request = request;
  }

  /** Starts the worker for steps without labels, and searches for the others. */
  async start(): Promise<void> {
    await this.#search();
    if (this.#request.labels.length > 0)
      this.#timer = setInterval(() => void this.#search().catch(() => {}), SEARCH_MS);
    await Promise.all([...this.#workers.values()].map((worker) => worker.waitUntilReady()));
  }

  /** Shares the free slots out. Called when a job begins or ends. */
  balance(): void {
    if (this.#isClosed) return;
    const { concurrency, countRunning } = this.#request;
    const free = this.#isStopped ? 0 : Math.max(0, concurrency - countRunning());
    for (const [queueName, worker] of this.#workers) {
      const share = countRunning(queueName) + free;
      if (free === 0 && (this.#isStopped || this.#workers.size > 1)) this.#pause(worker);
      else {
        worker.concurrency = Math.max(1, share);
        this.#resume(worker);
      }
    }
  }

  /**
   * True if a further job is one too many: two workers of BullMQ may take the last slot at the same time, and one that waits for
   * a job takes it although it was stopped or closed meanwhile: the job that a closing worker has just given back, for example.
   */
  isFull(): boolean {
    return (
      this.#isStopped || this.#isClosed || this.#request.countRunning() >= this.#request.concurrency
    );
  }

  /** Takes no more jobs. Running ones go on. */
  stop(): void {
    this.#isStopped = true;
    this.balance();
  }

  /** Takes jobs again. */
  resume(): void {
    this.#isStopped = false;
    this.balance();
  }

  async close(force: boolean): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await Promise.all([...this.#workers.values()].map((worker) => worker.close(force)));
  }

  async #search(): Promise<void> {
    const { store, labels, createWorker } = this.#request;
    const requirements = labels.length === 0 ? [[]] : await store.requirements();
    if (this.#isClosed) return;
    for (const wanted of requirements.filter((it) => satisfies(labels, it))) {
      const queueName = queueNameOf(store.name, wanted);
      if (!this.#workers.has(queueName)) this.#workers.set(queueName, createWorker(queueName));
    }
    this.balance();
  }

  #pause(worker: BullWorker): void {
    if (this.#paused.has(worker)) return;
    this.#paused.add(worker);
    void worker.pause(true).catch(() => {});
  }

  #resume(worker: BullWorker): void {
    if (!this.#paused.delete(worker)) return;
    void worker.resume().catch(() => {});
  }
}
