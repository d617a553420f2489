import { randomUUID } from 'node:crypto';
import { messageOf } from '../../base/errors/message-of.js';
import { readPackageVersion } from '../../base/fs/package-version.js';
import { settlesWithin } from '../../base/process/timing.js';
import type { WorkerInfo } from '../job-info.js';
import { PROTOCOL, showProtocol } from '../protocol/version.js';
import type { OpenStore } from '../store/open-store.js';
import type { BullJob, BullWorker } from '../store/queue-store.js';
import { Admission } from './admission.js';
import { findAdmissionStop } from './admission-stop.js';
import { createBullWorker } from './create-bull-worker.js';
import { HeldJobs } from './held-jobs.js';
import { createWaitingError } from './job-failure.js';
import { LabelWorkers } from './label-workers.js';
import { openWorkerStore } from './open-worker-store.js';
import { JobProcessing } from './process-job.js';
import { createReadyEvent } from './ready-event.js';
import type { JobFinishedEvent, StepWorkerEvent } from './step-worker-event.js';
import { StoreHealth } from './store-health.js';
import { waitForWorkers } from './wait-for-workers.js';
import { Heartbeat } from './worker-registry.js';
import type { WorkerSettings } from './worker-settings.js';

/** Longest wait of a worker that ends for the answer of the store, and of one whose connection is known to be lost. */
const [STORE_MS, LOST_STORE_MS] = [5_000, 500];

/** A worker with its connection, its heartbeat and its running jobs. */
export class RunningWorker {
  readonly closed: Promise<void>;
  readonly #settings: WorkerSettings;
  readonly #store: OpenStore;
  readonly #processing: JobProcessing;
  readonly #workers: LabelWorkers;
  readonly #admission: Admission;
  readonly #health: StoreHealth;
  readonly #held: HeldJobs;
  readonly #heartbeat: Heartbeat;
  readonly #id = randomUUID();
  readonly #startedAt = new Date().toISOString();
  readonly #counts = { succeeded: 0, failed: 0 };
  #isStarted = false;
  #closing: Promise<void> | undefined;
  #resolveClosed = (): void => {};
  /** The end of the start. Jobs that BullMQ takes before wait for it, and go back if the start fails. */
  readonly #begun: Promise<void>;
  #resolveBegun = (): void => {};

  private constructor(settings: WorkerSettings, store: OpenStore) {
    this.#settings = settings;
    this.#store = store;
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
    this.#begun = new Promise((resolve) => (this.#resolveBegun = resolve));
    const onEvent = (event: StepWorkerEvent): void => this.emit(event);
    const { provider, concurrency, labels } = settings;
    this.#health = new StoreHealth(store.address, (problem) => {
      const { code, message } = problem;
      this.emit({ type: 'store-problem', code, message });
      this.#admission.storeFailed(problem);
    });
    this.#processing = new JobProcessing({
      store,
      settings,
      provider,
      onEvent,
      onEnding: (event) => this.#expectEnd(event),
      workerId: this.#id,
    });
    const { running } = this.#processing;
    this.#held = new HeldJobs({
      lockMs: settings.lockMs,
      running,
      tell: onEvent,
      isConnected: () => store.driver.isConnected,
      lastError: () => this.#health.lastError,
    });
    this.#workers = new LabelWorkers({
      store,
      labels,
      concurrency,
      createWorker: (queueName) => this.#createWorker(queueName),
      countRunning: (queueName) =>
        queueName === undefined ? running.size : running.countOf(queueName),
    });
    this.#admission = new Admission({
      workers: this.#workers,
      emit: onEvent,
      onReady: () => this.emit(createReadyEvent(settings, store)),
      onChange: () => void (this.#isStarted && this.#heartbeat.beat()),
    });
    const { fingerprint: secret } = this.#processing.proof;
    this.#heartbeat = new Heartbeat(store.blobs, () => ({ ...this.describe(), secret }), {
      written: () => void this.#lookAfter().catch((error: unknown) => this.#health.failed(error)),
      failed: (error) => this.#health.failed(error),
    });
  }

  /** Connects to the store and takes jobs. Throws a `ProviderError`. */
  static async start(settings: WorkerSettings): Promise<RunningWorker> {
    let worker: RunningWorker | undefined;
    const store = await openWorkerStore(settings, (isConnected, message) => {
      const event = { type: 'store-connection' as const, isConnected, message };
      if (worker === undefined) settings.onEvent(event);
      else worker.emit(event);
    });
    const started = new RunningWorker(settings, store);
    worker = started;
    await store.ask(() => started.#begin());
    return started;
  }

  /** A store that refuses what a worker needs ends the start: each step would be lost at its end. */
  async #begin(): Promise<void> {
    try {
      await this.#heartbeat.begin();
      await this.#processing.limit.refresh();
      // A user may be allowed to write keys, and not to run the scripts of BullMQ.
      await this.#store.queue(this.#store.name).getJobCounts();
      await this.#workers.start();
    } catch (error) {
      this.#workers.stop();
      this.#resolveBegun();
      await this.#stop();
      throw error;
    }
    this.#isStarted = true;
    this.emit(createReadyEvent(this.#settings, this.#store));
    this.#resolveBegun();
  }

  get name(): string {
    return this.#settings.workerName;
  }

  describe(): WorkerInfo {
    const { host, labels, concurrency } = this.#settings;
    return {
      id: this.#id,
      name: this.name,
      host,
      pid: process.pid,
      labels,
      concurrency,
      running: this.#processing.running.size,
      ...this.#counts,
      ...this.#admission.describe(),
      version: readPackageVersion(),
      protocol: showProtocol(PROTOCOL),
      startedAt: this.#startedAt,
    };
  }

  /** Hands an event to the log and to the caller, and draws the consequences for this worker. */
  emit(event: StepWorkerEvent): void {
    const { logger } = this.#settings.connection;
    const { type, ...fields } = event;
    logger.info({ worker: this.name, ...fields }, `Worker: ${type}`);
    if (event.type === 'job-finished') {
      if (event.outcome === 'succeeded') this.#counts.succeeded++;
      if (event.outcome === 'failed') this.#counts.failed++;
    }
    try {
      this.#settings.onEvent(event);
    } catch (error) {
      logger.error({ worker: this.name, error: messageOf(error) }, 'onEvent has thrown an error');
    }
    if (event.type !== 'job-finished') return;
    const stop = findAdmissionStop(event, this.#processing.proof.isProven);
    if (stop !== undefined) this.#admission.stop(stop);
  }

  /** Ends the worker. Jobs whose steps are not done within the limit go back to the queue. */
  close(isDraining: boolean, limitMs: number): Promise<void> {
    const { running } = this.#processing;
    if (!isDraining) running.endAll({ kind: 'returned' });
    this.#closing ??= this.#close(limitMs);
    return this.#closing;
  }

  async #close(limitMs: number): Promise<void> {
    const { running } = this.#processing;
    this.#admission.drain();
    this.emit({ type: 'draining', running: running.size });
    const timer = setTimeout(() => running.endAll({ kind: 'returned' }), limitMs);
    await waitForWorkers(this.#workers.close(false), {
      limitMs: limitMs + STORE_MS,
      countRunning: () => running.size,
      storeMs: () => this.#storeMs(),
    });
    clearTimeout(timer);
    await this.#stop();
    this.emit({ type: 'closed' });
    this.#resolveClosed();
  }

  async #stop(): Promise<void> {
    this.#held.stop();
    await settlesWithin(
      this.#heartbeat.stop().catch(() => {}),
      this.#storeMs(),
    );
    await this.#store.close();
  }

  #storeMs(): number {
    return this.#store.driver.isConnected ? STORE_MS : LOST_STORE_MS;
  }

  /** Looks after what changes without this worker, with each heartbeat that the store has taken. */
  async #lookAfter(): Promise<void> {
    if (this.#closing !== undefined) return;
    if (this.#health.problem !== undefined)
      await this.#store.queue(this.#store.name).getJobCounts();
    if (this.#health.works()) this.#admission.storeWorks();
    await this.#processing.limit.refresh();
    if (this.#admission.isDoubtful && (await this.#processing.proof.mayGoOn()))
      this.#admission.resume();
  }

  #createWorker(queueName: string): BullWorker {
    const worker = createBullWorker(this.#store, queueName, this.#settings, (...given) =>
      this.#process(...given),
    );
    worker.events.on('error', (error: unknown) => {
      const text = this.#store.address.redactor.text(messageOf(error));
      this.#settings.connection.logger.debug({ worker: this.name, queueName }, text);
      this.#health.failed(error);
    });
    this.#held.follow(worker);
    return worker;
  }

  async #process(job: BullJob, token?: string, signal?: AbortSignal): Promise<unknown> {
    await this.#begun;
    const id = job.id ?? '';
    if (this.#workers.isFull()) {
      await job.moveToWait(token);
      throw createWaitingError();
    }
    this.#held.begin(id);
    const processed = this.#processing.process(job, token, signal);
    this.#workers.balance();
    try {
      return await processed;
    } finally {
      this.#held.settle(id);
      this.#workers.balance();
    }
  }

  #expectEnd(event: JobFinishedEvent): void {
    this.#held.expect(event);
    // With the end, BullMQ takes the next job.
    const stop = findAdmissionStop(event, this.#processing.proof.isProven);
    if (stop !== undefined) this.#workers.stop();
  }
}
