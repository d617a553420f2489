import type { ResponseProvider } from '../../api/response-provider.js';
import { callOnAbort } from '../../base/process/abort-listeners.js';
import { type DoubtfulJob, peekJob } from '../protocol/envelope.js';
import { beginAttempt, type Progress, parseProgress } from '../protocol/job-progress.js';
import { createTrust, type SigningTrust } from '../protocol/signature.js';
import type { OpenStore } from '../store/open-store.js';
import type { BullJob } from '../store/queue-store.js';
import { toStoreError } from '../store/store-error.js';
import { EndedJobs } from './ended-jobs.js';
import { type AttemptOutcome, runJobAttempt } from './job-attempt.js';
import {
  type AttemptEnd,
  createJobFailure,
  createRateLimitError,
  createWaitingError,
} from './job-failure.js';
import { pauseAfter, pauseQueues } from './queue-pause.js';
import { RunningJobs } from './running-jobs.js';
import { SecretProof } from './secret-proof.js';
import { SharedLimit } from './shared-limit.js';
import type { JobFinishedEvent, StepWorkerEvent } from './step-worker-event.js';
import type { ProcessorSettings } from './worker-settings.js';

type Failure = Extract<AttemptOutcome, { isOk: false }>;

export interface ProcessingRequest {
  readonly store: OpenStore;
  readonly settings: ProcessorSettings;
  readonly provider: ResponseProvider;
  readonly onEvent: (event: StepWorkerEvent) => void;
  /** Hears of an end that BullMQ has to write. Without this function, the end is told at once. */
  readonly onEnding?: ((event: JobFinishedEvent) => void) | undefined;
  /** Id of the worker in its heartbeat. */
  readonly workerId?: string | undefined;
}

/** What BullMQ gets: the value of the job, or the error by which BullMQ knows what to do. */
type Settled = { readonly value: unknown } | { readonly thrown: Error };

/** One attempt in work. */
interface Work {
  readonly job: BullJob;
  readonly id: string;
  readonly token: string | undefined;
  readonly progress: Progress;
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
  readonly limit: SharedLimit;
  readonly proof: SecretProof;
  readonly #request: ProcessingRequest;
  readonly #trust: SigningTrust;
  readonly #ended: EndedJobs;

  constructor(request: ProcessingRequest) {
    const { store, settings, workerId } = request;
    this.#request = request;
    this.#trust = createTrust(settings.connection, store.address);
    this.proof = new SecretProof(store, this.#trust, workerId);
    this.limit = new SharedLimit(store);
    this.#ended = new EndedJobs(store);
    this.running = new RunningJobs(store);
  }

  /** Finds a job in the store. */
  find(queueName: string, id: string): Promise<BullJob | undefined> {
    return this.#request.store.queue(queueName).getJob(id);
  }

  /** Runs one attempt. Returns the value of the job, or throws the error by which BullMQ knows what to do. */
  async process(job: BullJob, token?: string, signal?: AbortSignal): Promise<unknown> {
    const { store, settings, onEvent } = this.#request;
    const id = job.id ?? '';
    const progress = beginAttempt(parseProgress(job.progress), {
      worker: settings.workerName,
      host: settings.host,
      startedAtMs: store.nowMs(),
      createdAtMs: job.timestamp,
    });
    const { attempt, waitMs } = progress;
    const running = this.running.add(id, job.queueName);
    const end = { kind: 'lost', why: 'BullMQ has ended the attempt' } as const;
    const unfollow = signal && callOnAbort(signal, () => this.running.end(id, end));
    const { title: prompt = '' } = peekJob(id, job.data) ?? {};
    onEvent({ type: 'job-started', jobId: id, attempt, waitMs, prompt });
    const work = { job, id, token, progress };
    try {
      const settled = await this.#attempt(work, running.signal).catch((error: unknown) => {
        // The job is left to the next search for jobs without a lock: its step has not failed.
        const { message } = toStoreError(error, store.address);
        return this.#lose(work, `its end could not be written: ${message}`);
      });
      if ('thrown' in settled) throw settled.thrown;
      return settled.value;
    } finally {
      unfollow?.();
      running.end();
    }
  }

  /** Throws if the store does not take the end. */
  async #attempt(work: Work, signal: AbortSignal): Promise<Settled> {
    const { store, settings, provider } = this.#request;
    const { job, id, progress } = work;
    const doubt = this.proof.doubt(id, job.data);
    if (doubt !== undefined && !(await this.proof.mayFail(id, doubt, progress.refusedBy)))
      return this.#refuse(work, doubt);
    const begun = job.updateProgress(progress);
    begun.catch((error: unknown) => {
      const { message } = toStoreError(error, store.address);
      this.running.end(id, { kind: 'lost', why: `its attempt could not be written: ${message}` });
    });
    const outcome = await runJobAttempt({
      job,
      id,
      progress,
      begun,
      provider,
      store,
      settings,
      trust: this.#trust,
      signal,
    });
    await Promise.allSettled([begun]);
    const end: AttemptEnd | undefined = signal.reason;
    // The job is with another worker, or is found by the next search for jobs without a lock. PostgreSQL would let this worker
    // fail the job as long as no other one has it.
    if (end?.kind === 'lost') return this.#lose(work, end.why);
    // BullMQ would give the job up if the store were away while the end is written.
    if (!store.driver.isConnected) await store.driver.waitUntilAnswers();
    if (outcome.isOk) {
      this.#finish(work, 'succeeded');
      void this.limit.succeeded().catch(() => {});
      return { value: outcome.value };
    }
    const reason = whyReturned(end, outcome);
    if (reason !== undefined)
      return this.#giveBack(work, { reason }, outcome.isDiskFull ? outcome.error : undefined);
    if (await this.#pauseIfNeeded(work, outcome)) return { thrown: createRateLimitError() };
    const failure = createJobFailure(await outcome.pack(), !outcome.error.retryable);
    await job.updateProgress({ ...progress, end: { kind: 'failed', atMs: store.nowMs() } });
    this.#finish(work, 'failed', outcome.error);
    return { thrown: failure };
  }

  #lose(work: Work, message: string): Settled {
    this.#finish(work, 'lost', { message });
    return { thrown: createWaitingError() };
  }

  /** Gives a job back whose signature another worker may know. */
  #refuse(work: Work, doubt: DoubtfulJob): Promise<Settled> {
    const { refusedBy = [] } = work.progress;
    const problem =
      doubt.signature === undefined
        ? 'is not signed, and this worker has a secret'
        : 'has a signature of another secret than that of this worker';
    const message = `The job ${work.id} ${problem} (GEMINI_CLI_PROVIDER_QUEUE_SECRET)`;
    const reason = `the job ${doubt.signature === undefined ? 'is not signed' : 'has a signature of another secret'}`;
    return this.#giveBack(
      work,
      { reason, refusedBy: [...refusedBy, this.proof.nameOf(doubt)] },
      { code: 'INVALID_CONFIG', message },
    );
  }

  async #giveBack(
    work: Work,
    { reason, ...more }: Pick<Progress, 'refusedBy'> & { readonly reason: string },
    error: Pick<JobFinishedEvent, 'code' | 'message'> | undefined,
  ): Promise<Settled> {
    const { job, token, progress } = work;
    const end = { kind: 'returned' as const, atMs: this.#request.store.nowMs(), reason };
    await job.updateProgress({ ...progress, ...more, end });
    await job.moveToWait(token);
    this.#finish(work, 'returned', error);
    return { thrown: createWaitingError() };
  }

  #finish(
    { job, id, progress: { attempt, startedAtMs } }: Work,
    outcome: JobFinishedEvent['outcome'],
    error: Pick<JobFinishedEvent, 'code' | 'message'> = {},
  ): void {
    const { store, onEvent, onEnding } = this.#request;
    const durationMs = store.nowMs() - startedAtMs;
    const { code, message } = error;
    const failure = {
      ...(code !== undefined && { code }),
      ...(message !== undefined && { message }),
    };
    const isWrittenByBull = outcome === 'succeeded' || outcome === 'failed';
    const tell = (isWrittenByBull ? onEnding : undefined) ?? onEvent;
    tell({ type: 'job-finished', jobId: id, attempt, outcome, durationMs, ...failure });
    this.#ended.ended(job.queueName, peekJob(id, job.data)?.keepCount);
  }

  /** Pauses the whole queue after a rate limit. Returns true if the job may wait for the end of the pause, and goes back. */
  async #pauseIfNeeded(work: Work, { error }: Failure): Promise<boolean> {
    const { store, settings, onEvent } = this.#request;
    const { job, progress } = work;
    const { code, message } = error;
    if (code !== 'RATE_LIMITED' && code !== 'QUOTA_EXHAUSTED') return false;
    const { maxRateLimits, maxRateLimitWaitMs } = settings;
    const ms = pauseAfter(error, progress.rateLimits);
    // The job of a long wait fails at once. The other jobs find out earlier whether the limit is over.
    const pauseMs = code === 'RATE_LIMITED' ? Math.min(ms, maxRateLimitWaitMs) : ms;
    const pause = await pauseQueues(store, { code, message }, settings.workerName, pauseMs);
    onEvent({ type: 'queue-paused', ...pause });
    if (code === 'QUOTA_EXHAUSTED') return false;
    await this.limit.rateLimited(progress.startedAtMs);
    const rateLimits = progress.rateLimits + 1;
    const rateLimitedMs = progress.rateLimitedMs + ms;
    if (rateLimits > maxRateLimits || rateLimitedMs > maxRateLimitWaitMs) return false;
    const end = { kind: 'returned' as const, atMs: store.nowMs(), reason: code };
    await job.updateProgress({ ...progress, rateLimits, rateLimitedMs, end });
    this.#finish(work, 'returned', error);
    return true;
  }
}
