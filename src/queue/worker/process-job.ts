import type { ResponseProvider } from '../../api/response-provider.js';
import { callOnAbort } from '../../base/process/abort-listeners.js';
import { peekJob } from '../protocol/envelope.js';
import { beginAttempt, type Progress, parseProgress } from '../protocol/job-progress.js';
import { createTrust, type SigningTrust } from '../protocol/signature.js';
import type { OpenStore } from '../store/open-store.js';
import type { BullJob } from '../store/queue-store.js';
import { EndedJobs } from './ended-jobs.js';
import { type AttemptOutcome, runJobAttempt } from './job-attempt.js';
import {
  type AttemptEnd,
  createJobFailure,
  createRateLimitError,
  createWaitingError,
} from './job-failure.js';
import { pauseAfter, pauseQueues, SharedLimit } from './queue-pause.js';
import { RunningJobs } from './running-jobs.js';
import type { StepWorkerEvent } from './step-worker-event.js';
import type { ProcessorSettings } from './worker-settings.js';

type Failure = Extract<AttemptOutcome, { isOk: false }>;

export interface ProcessingRequest {
  readonly store: OpenStore;
  readonly settings: ProcessorSettings;
  readonly provider: ResponseProvider;
  readonly onEvent: (event: StepWorkerEvent) => void;
}

/** Returns why the worker gives a job back that has not failed. Undefined if the job has failed. */
function whyReturned(
  end: AttemptEnd | undefined,
  { error, isDiskFull }: Failure,
): string | undefined {
  if (end?.kind === 'returned' && error.code === 'CANCELLED') return 'the worker ends';
  // A cancelled job must end.
  return isDiskFull && end === undefined ? 'its disk is full' : undefined;
}

/** Takes jobs of BullMQ through one attempt each. */
export class JobProcessing {
  readonly running: RunningJobs;
  readonly #request: ProcessingRequest;
  readonly #trust: SigningTrust;
  readonly #limit: SharedLimit;
  readonly #ended: EndedJobs;

  constructor(request: ProcessingRequest) {
    const { store, settings } = request;
    this.#request = request;
    this.#trust = createTrust(settings.connection, store.address);
    this.#limit = new SharedLimit(store);
    this.#ended = new EndedJobs(store);
    this.running = new RunningJobs(store);
  }

  /** Finds a job in the store. */
  find(queueName: string, id: string): Promise<BullJob | undefined> {
    return this.#request.store.queue(queueName).getJob(id);
  }

  /** Runs one attempt. Returns the value of the job, or throws the error by which BullMQ knows what to do. */
  async process(job: BullJob, token?: string, signal?: AbortSignal): Promise<unknown> {
    const { store, settings, provider, onEvent } = this.#request;
    const id = job.id ?? '';
    const startedAtMs = store.nowMs();
    const progress = beginAttempt(parseProgress(job.progress), {
      worker: settings.workerName,
      host: settings.host,
      startedAtMs,
      createdAtMs: job.timestamp,
    });
    const { attempt, waitMs } = progress;
    const running = this.running.add(id, job.queueName);
    const unfollow = signal && callOnAbort(signal, () => this.running.end(id, { kind: 'lost' }));
    const { title: prompt = '', keepCount } = peekJob(id, job.data) ?? {};
    onEvent({ type: 'job-started', jobId: id, attempt, waitMs, prompt });
    const finish = (
      outcome: 'succeeded' | 'failed' | 'lost' | 'returned',
      error?: Failure['error'],
    ): void => {
      const durationMs = store.nowMs() - startedAtMs;
      const failure = error && { code: error.code, message: error.message };
      onEvent({ type: 'job-finished', jobId: id, attempt, outcome, durationMs, ...failure });
      this.#ended.ended(job.queueName, keepCount);
    };
    try {
      const begun = job.updateProgress(progress);
      begun.catch(() => this.running.end(id, { kind: 'lost' }));
      const outcome = await runJobAttempt({
        job,
        id,
        progress,
        begun,
        provider,
        store,
        settings,
        trust: this.#trust,
        signal: running.signal,
      });
      await begun;
      const end: AttemptEnd | undefined = running.signal.reason;
      if (end?.kind === 'lost') {
        finish('lost');
        // The job is with another worker, or is found by the next search for jobs without a lock. PostgreSQL would let this worker
        // fail the job as long as no other one has it.
        throw createWaitingError();
      }
      // BullMQ would give the job up if the store were away while the end is written.
      if (!store.driver.isConnected) await store.driver.waitUntilAnswers();
      if (outcome.isOk) {
        finish('succeeded');
        void this.#limit.succeeded().catch(() => {});
        return outcome.value;
      }
      const reason = whyReturned(end, outcome);
      if (reason !== undefined) {
        const ended = { kind: 'returned' as const, atMs: store.nowMs(), reason };
        await job.updateProgress({ ...progress, end: ended });
        await job.moveToWait(token);
        finish('returned', outcome.isDiskFull ? outcome.error : undefined);
        throw createWaitingError();
      }
      await this.#pauseIfNeeded(job, progress, outcome);
      await job.updateProgress({ ...progress, end: { kind: 'failed', atMs: store.nowMs() } });
      finish('failed', outcome.error);
      throw createJobFailure(await outcome.pack(), !outcome.error.retryable);
    } finally {
      unfollow?.();
      running.end();
    }
  }

  /** Pauses the whole queue after a rate limit, and gives the job back, as long as the job may wait. */
  async #pauseIfNeeded(job: BullJob, progress: Progress, { error }: Failure): Promise<void> {
    const { store, settings, onEvent } = this.#request;
    const { code, message } = error;
    if (code !== 'RATE_LIMITED' && code !== 'QUOTA_EXHAUSTED') return;
    const ms = pauseAfter(error, progress.rateLimits);
    const pause = await pauseQueues(store, { code, message }, settings.workerName, ms);
    onEvent({ type: 'queue-paused', ...pause });
    if (code === 'QUOTA_EXHAUSTED') return;
    await this.#limit.rateLimited(progress.startedAtMs);
    const rateLimits = progress.rateLimits + 1;
    const rateLimitedMs = progress.rateLimitedMs + ms;
    const mayWait =
      rateLimits <= settings.maxRateLimits && rateLimitedMs <= settings.maxRateLimitWaitMs;
    if (!mayWait) return;
    const end = { kind: 'returned' as const, atMs: store.nowMs(), reason: code };
    await job.updateProgress({ ...progress, rateLimits, rateLimitedMs, end });
    const durationMs = end.atMs - progress.startedAtMs;
    const jobId = job.id ?? '';
    const { attempt } = progress;
    onEvent({
      type: 'job-finished',
      jobId,
      attempt,
      outcome: 'returned',
      code,
      message,
      durationMs,
    });
    throw createRateLimitError();
  }
}
