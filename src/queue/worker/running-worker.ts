import { randomUUID } from 'node:crypto';
import { messageOf } from '../../base/errors/message-of.js';
import { readPackageVersion } from '../../base/fs/package-version.js';
import { settlesWithin } from '../../base/process/timing.js';
import type { WorkerInfo } from '../job-info.js';
import { PROTOCOL, showProtocol } from '../protocol/version.js';
import { type OpenStore, openStore } from '../store/open-store.js';
import type { BullJob, BullWorker } from '../store/queue-store.js';
import { type AdmissionStop, findAdmissionStop } from './admission-stop.js';
import { assertClock } from './assert-clock.js';
import { createWaitingError } from './job-failure.js';
import { LabelWorkers } from './label-workers.js';
import { LockWatch } from './lock-watch.js';
import { JobProcessing } from './process-job.js';
import type { StepWorkerEvent } from './step-worker-event.js';
import { Heartbeat } from './worker-registry.js';
import type { WorkerSettings } from './worker-settings.js';

/** BullMQ asks the store this long after a failed request. */
const RETRY_MS = 1_000;
/** Longest wait of a worker that ends for the answer of the store, and of one whose connection is known to be lost. */
const [STORE_MS, LOST_STORE_MS] = [5_000, 500];
const POLL_MS = 100;
/** Time between two looks at a pause of the queue, which a user may have ended. BullMQ's default is 30 s. */
const PAUSE_LOOK_MS = 3_000;
/** Without a limiter, BullMQ does not look at a pause that another worker has set. */
const LIMITER = { max: 1_000_000_000, duration: 1_000 };

/** A worker with its connection, its heartbeat and its running jobs. */
export class RunningWorker {
  readonly closed: Promise<void>;
  readonly #settings: WorkerSettings;
  readonly #store: OpenStore;
  readonly #processing: JobProcessing;
  readonly #workers: LabelWorkers;
  readonly #locks: LockWatch;
  readonly #heartbeat: Heartbeat;
  readonly #id = randomUUID();
  readonly #startedAt = new Date().toISOString();
  readonly #counts = { succeeded: 0, failed: 0 };
  #state: WorkerInfo['state'] = 'ready';
  #reason: string | undefined;
  #closing: Promise<void> | undefined;
  #resumeTimer: NodeJS.Timeout | undefined;
  #resolveClosed = (): void => {};

  private constructor(settings: WorkerSettings, store: OpenStore) {
    this.#settings = settings;
    this.#store = store;
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
    const onEvent = (event: StepWorkerEvent): void => this.emit(event);
    const { provider, concurrency, labels } = settings;
    this.#processing = new JobProcessing({ store, settings, provider, onEvent });
    const { running } = this.#processing;
    this.#locks = new LockWatch(settings.lockMs, (id) => running.end(id, { kind: 'lost' }));
    this.#workers = new LabelWorkers({
      store,
      labels,
      concurrency,
      createWorker: (queueName) => this.#createWorker(queueName),
      countRunning: (queueName) =>
        queueName === undefined ? running.size : running.countOf(queueName),
    });
    this.#heartbeat = new Heartbeat(store.blobs, () => this.describe());
  }

  /** Connects to the store and takes jobs. Throws a `ProviderError`. */
  static async start(settings: WorkerSettings): Promise<RunningWorker> {
    let worker: RunningWorker | undefined;
    const store = await openStore(settings.connection, (isConnected, message) => {
      const event = { type: 'store-connection' as const, isConnected, message };
      if (worker === undefined) settings.onEvent(event);
      else worker.emit(event);
    });
    try {
      assertClock(store.driver.clock, store.address, settings.lockMs);
    } catch (error) {
      await store.close();
      throw error;
    }
    worker = new RunningWorker(settings, store);
    const started = worker;
    await store.ask(async () => {
      await started.#heartbeat.beat();
      await started.#workers.start();
    });
    const { notes, address } = store;
    worker.emit({ type: 'ready', worker: worker.name, url: address.shown, notes });
    return worker;
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
      state: this.#state,
      reason: this.#reason,
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
    try {
      this.#settings.onEvent(event);
    } catch (error) {
      logger.error({ worker: this.name, error: messageOf(error) }, 'onEvent has thrown an error');
    }
    if (event.type !== 'job-finished') return;
    if (event.outcome === 'succeeded') this.#counts.succeeded++;
    if (event.outcome === 'failed') this.#counts.failed++;
    const stop = findAdmissionStop(event);
    if (stop !== undefined) this.#stopAdmission(stop);
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
    this.#state = 'draining';
    this.emit({ type: 'draining', running: running.size });
    void this.#heartbeat.beat();
    const timer = setTimeout(() => running.endAll({ kind: 'returned' }), limitMs);
    await this.#waitForWorkers(limitMs);
    clearTimeout(timer);
    clearTimeout(this.#resumeTimer);
    this.#locks.stop();
    await settlesWithin(this.#heartbeat.stop(), this.#storeMs());
    await this.#store.close();
    this.emit({ type: 'closed' });
    this.#resolveClosed();
  }

  /**
   * Waits until BullMQ has ended. BullMQ waits for a store that is gone for ever, so that a worker without steps, or one whose
   * limit is over, leaves a little later: other workers take its jobs over.
   */
  async #waitForWorkers(limitMs: number): Promise<void> {
    const closing = this.#workers.close(false);
    const lastMs = performance.now() + limitMs + STORE_MS;
    let idleSinceMs = performance.now();
    while (!(await settlesWithin(closing, POLL_MS))) {
      const nowMs = performance.now();
      if (this.#processing.running.size > 0) idleSinceMs = nowMs;
      if (nowMs > lastMs || nowMs > idleSinceMs + this.#storeMs()) return;
    }
  }

  #storeMs(): number {
    return this.#store.driver.isConnected ? STORE_MS : LOST_STORE_MS;
  }

  #stopAdmission({ code, message, pauseMs }: AdmissionStop): void {
    if (this.#state !== 'ready') return;
    this.#state = 'stopped';
    this.#reason = message;
    this.#workers.stop();
    void this.#heartbeat.beat();
    const until =
      pauseMs === undefined ? {} : { until: new Date(Date.now() + pauseMs).toISOString() };
    this.emit({ type: 'admission-stopped', code, message, ...until });
    if (pauseMs !== undefined) this.#resumeTimer = setTimeout(() => this.#resume(), pauseMs);
  }

  #resume(): void {
    if (this.#state !== 'stopped') return;
    this.#state = 'ready';
    this.#reason = undefined;
    this.#workers.resume();
    void this.#heartbeat.beat();
    const { notes, address } = this.#store;
    this.emit({ type: 'ready', worker: this.name, url: address.shown, notes });
  }

  #createWorker(queueName: string): BullWorker {
    const { lockMs, checkMs, maxLostAttempts, concurrency } = this.#settings;
    // BullMQ hands out a signal only to functions with three parameters.
    const process = (job: BullJob, token?: string, signal?: AbortSignal) =>
      this.#process(job, token, signal);
    const worker = this.#store.driver.createWorker(queueName, process, {
      concurrency,
      lockDuration: lockMs,
      stalledInterval: checkMs,
      maxStalledCount: maxLostAttempts,
      runRetryDelay: RETRY_MS,
      limiter: LIMITER,
      maximumRateLimitDelay: PAUSE_LOOK_MS,
    });
    worker.events.on('error', (error: unknown) => {
      const text = this.#store.address.redactor.text(messageOf(error));
      this.#settings.connection.logger.debug({ worker: this.name, queueName }, text);
    });
    this.#locks.follow(worker);
    return worker;
  }

  async #process(job: BullJob, token?: string, signal?: AbortSignal): Promise<unknown> {
    const id = job.id ?? '';
    if (this.#workers.isFull()) {
      await job.moveToWait(token);
      throw createWaitingError();
    }
    this.#locks.begin(id);
    const processed = this.#processing.process(job, token, signal);
    this.#workers.balance();
    try {
      return await processed;
    } finally {
      this.#locks.end(id);
      this.#workers.balance();
    }
  }
}
