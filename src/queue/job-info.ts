import type { ProviderErrorData } from '../api/error.js';
import type { LostAttempt } from '../api/job-report.js';

/**
 * State of a job. `waiting`: no worker has taken the job yet. `active`: a worker runs the job. `delayed`: the job waits
 * for the time of its next attempt.
 */
export type JobState = 'waiting' | 'active' | 'delayed' | 'completed' | 'failed';

/** A job that was put on the queue, or that was there already. */
export interface JobHandle {
  /** Id of the job. */
  readonly id: string;
  /** False if a job with the same `idempotencyKey` was there already. */
  readonly isNew: boolean;
}

/** A job as `StepQueue` shows it. */
export interface JobInfo {
  /** Id of the job. */
  readonly id: string;
  /** State of the job. */
  readonly state: JobState;
  /** Beginning of the prompt, on one line, at most 120 characters. */
  readonly prompt: string;
  /** Labels that a worker must have. */
  readonly labels: readonly string[];
  /** Time at which the job was put on the queue, ISO 8601. */
  readonly createdAt: string;
  /** Time at which the last attempt began, ISO 8601. Absent before the first attempt. */
  readonly startedAt?: string | undefined;
  /** Time at which the job ended, ISO 8601. Absent before that. */
  readonly endedAt?: string | undefined;
  /** Number of the last attempt, from 1. `0` before the first attempt. */
  readonly attempt: number;
  /** Name of the worker of the last attempt. Absent before the first attempt. */
  readonly worker?: string | undefined;
  /** Host of that worker. */
  readonly host?: string | undefined;
  /** Attempts whose workers were lost. */
  readonly lost: readonly LostAttempt[];
  /** True if the job was cancelled. */
  readonly isCancelled: boolean;
  /** Error of a failed job, without `partial`. */
  readonly error?: ProviderErrorData | undefined;
}

/** A worker, as its last heartbeat describes it. */
export interface WorkerInfo {
  /** Id of the worker, unique for each start. */
  readonly id: string;
  /** Name of the worker. */
  readonly name: string;
  /** Host of the worker. */
  readonly host: string;
  /** Process id on that host. */
  readonly pid: number;
  /** Labels of the worker. */
  readonly labels: readonly string[];
  /** Steps that the worker runs at the same time, at most. */
  readonly concurrency: number;
  /** Steps that the worker runs now. */
  readonly running: number;
  /** Steps that succeeded on the worker since its start. */
  readonly succeeded: number;
  /** Steps that failed on the worker since its start. */
  readonly failed: number;
  /** `ready`: takes jobs. `draining`: finishes what it has. `stopped`: takes no jobs, because of a fault of its machine. */
  readonly state: 'ready' | 'draining' | 'stopped';
  /** Why the worker is stopped. */
  readonly reason?: string | undefined;
  /** Version of this package on the worker. */
  readonly version: string;
  /** Version of the protocol of the queue on the worker, as `1.0`. */
  readonly protocol: string;
  /** Time of the worker's start, ISO 8601. */
  readonly startedAt: string;
}

/** Number of jobs by state. */
export type JobCounts = Readonly<Record<JobState, number>>;

/** A pause of the whole queue: no worker takes a job before the time. */
export interface QueuePause {
  /** Code of the error that led to the pause: RATE_LIMITED or QUOTA_EXHAUSTED. */
  readonly code: 'RATE_LIMITED' | 'QUOTA_EXHAUSTED';
  /** Message of that error. */
  readonly message: string;
  /** Name of the worker that met the error. */
  readonly worker: string;
  /** End of the pause, ISO 8601. */
  readonly until: string;
}

/** The whole queue at one moment. */
export interface QueueStatus {
  /** Kind of the store. */
  readonly store: 'redis' | 'postgres';
  /** URL of the store without credentials. */
  readonly url: string;
  /** Name of the queue. */
  readonly name: string;
  /** Number of jobs by state. */
  readonly counts: JobCounts;
  /** Jobs by the labels that they ask for. The entry without labels comes first. */
  readonly requirements: readonly {
    readonly labels: readonly string[];
    readonly counts: JobCounts;
  }[];
  /** Workers whose heartbeat is not older than 15 seconds. */
  readonly workers: readonly WorkerInfo[];
  /** Pause of the whole queue. Absent if workers take jobs. */
  readonly pause?: QueuePause | undefined;
  /** Steps that all workers together may run, after rate limits. Absent if there is no such limit. */
  readonly concurrencyLimit?: number | undefined;
  /** Remarks, such as a store that may lose jobs. */
  readonly notes: readonly string[];
}
