import type { OpenStore } from '../store/open-store.js';
import type { BullJob, BullWorker } from '../store/queue-store.js';
import type { WorkerSettings } from './worker-settings.js';

/** BullMQ asks the store this long after a failed request. */
const RETRY_MS = 1_000;
/** Time between two looks at a pause of the queue, which a user may have ended. BullMQ's default is 30 s. */
const PAUSE_LOOK_MS = 3_000;
/** Without a limiter, BullMQ does not look at a pause that another worker has set. */
const LIMITER = { max: 1_000_000_000, duration: 1_000 };

/** Creates the worker of BullMQ for one of the queues of a worker. */
export function createBullWorker(
  { driver }: Pick<OpenStore, 'driver'>,
  queueName: string,
  { lockMs, checkMs, maxLostAttempts, concurrency }: WorkerSettings,
  run: (job: BullJob, token?: string, signal?: AbortSignal) => Promise<unknown>,
): BullWorker {
  // BullMQ hands out a signal only to functions with three parameters.
  const process = (job: BullJob, token?: string, signal?: AbortSignal) => run(job, token, signal);
  return driver.createWorker(queueName, process, {
    concurrency,
    lockDuration: lockMs,
    stalledInterval: checkMs,
    maxStalledCount: maxLostAttempts,
    runRetryDelay: RETRY_MS,
    limiter: LIMITER,
    maximumRateLimitDelay: PAUSE_LOOK_MS,
  });
}
