import type { ErrorCode } from '../../api/error.js';
import type { JobFinishedEvent } from './step-worker-event.js';

/** Time after which a worker whose disk was full tries the next step. */
const DISK_PAUSE_MS = 30_000;

/** Time after which a worker whose secret is proven looks for jobs of its secret again. */
const DOUBT_PAUSE_MS = 5_000;

/** Why a worker takes no more jobs, and for how long. Without a time, until it is started again. */
export interface AdmissionStop {
  readonly code: ErrorCode;
  readonly message: string;
  readonly pauseMs?: number | undefined;
  /** True if the secret of the worker is in doubt: the worker takes jobs again when the secret has proven right. */
  readonly isDoubtful?: boolean | undefined;
}

/**
 * Returns whether the end of a step shows a fault of this worker, which would fail all further steps as well: no login, no CLI,
 * no space on the disk. Such a worker would otherwise empty the queue within seconds.
 */
export function findAdmissionStop(
  { outcome, code, message = '' }: Pick<JobFinishedEvent, 'outcome' | 'code' | 'message'>,
  isSecretProven: boolean,
): AdmissionStop | undefined {
  if (outcome === 'failed' && (code === 'AUTH' || code === 'CLI_NOT_FOUND'))
    return { code, message };
  // After a rate limit, the whole queue is paused.
  if (outcome !== 'returned' || code === undefined || code === 'RATE_LIMITED') return undefined;
  // A job with a doubtful signature. Any other error gives a step back for a full disk only.
  if (code === 'INVALID_CONFIG')
    return isSecretProven
      ? { code, message, pauseMs: DOUBT_PAUSE_MS }
      : { code, message, isDoubtful: true };
  return { code, message, pauseMs: DISK_PAUSE_MS };
}
