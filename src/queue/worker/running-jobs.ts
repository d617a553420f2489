import { isObject } from '../../base/json/is-object.js';
import { readCancelled } from '../protocol/envelope.js';
import { CANCEL_EVENT } from '../protocol/event-batch.js';
import { controlNameOf } from '../protocol/labels.js';
import type { OpenStore } from '../store/open-store.js';
import type { AttemptEnd } from './job-failure.js';

/** Time between two looks at the jobs that run: a cancel event may be lost. */
const LOOK_MS = 1_000;

interface RunningJob {
  readonly queueName: string;
  readonly controller: AbortController;
}

/** Jobs that run in this process. Finds out which of them were cancelled. */
export class RunningJobs {
  readonly #store: OpenStore;
  readonly #jobs = new Map<string, RunningJob>();
  #isListening = false;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(store: OpenStore) {
    this.#store = store;
  }

  get size(): number {
    return this.#jobs.size;
  }

  countOf(queueName: string): number {
    return [...this.#jobs.values()].filter((job) => job.queueName === queueName).length;
  }

  /** Adds a job. Returns the signal of its attempt, and a function that removes the job. */
  add(id: string, queueName: string): { readonly signal: AbortSignal; readonly end: () => void } {
    const job = { queueName, controller: new AbortController() };
    this.#jobs.set(id, job);
    this.#listen();
    this.#timer ??= setInterval(() => void this.#look(), LOOK_MS);
    const end = (): void => {
      if (this.#jobs.get(id) === job) this.#jobs.delete(id);
      if (this.#jobs.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
    return { signal: job.controller.signal, end };
  }

  /** Ends the attempt of one job. */
  end(id: string, why: AttemptEnd): void {
    this.#jobs.get(id)?.controller.abort(why);
  }

  /** Ends the attempts of all jobs. */
  endAll(why: AttemptEnd): void {
    for (const { controller } of this.#jobs.values()) controller.abort(why);
  }

  /** Workers hear of cancels on a stream of their own: the events of all steps would reach all workers otherwise. */
  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    const { events } = this.#store.events(controlNameOf(this.#store.name));
    events.on(CANCEL_EVENT, (fields: unknown) => {
      if (isObject(fields) && typeof fields['id'] === 'string' && this.#jobs.has(fields['id']))
        void this.#lookAt(fields['id']);
    });
  }

  async #look(): Promise<void> {
    // While the store cannot be reached, one look waits: more of them would pile up.
    if (this.#isLooking) return;
    this.#isLooking = true;
    await Promise.allSettled([...this.#jobs.keys()].map((id) => this.#lookAt(id)));
    this.#isLooking = false;
  }

  async #lookAt(id: string): Promise<void> {
    const running = this.#jobs.get(id);
    if (running === undefined) return;
    const job = await this.#store.queue(running.queueName).getJob(id);
    const reason = readCancelled(job?.data);
    if (reason !== undefined) running.controller.abort({ kind: 'cancelled', reason });
  }
}
