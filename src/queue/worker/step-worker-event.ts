import type { ErrorCode } from '../../api/error.js';
import type { Ceiling } from '../protocol/ceiling.js';

/** The worker is connected to the store and takes jobs. */
export interface WorkerReadyEvent {
  readonly type: 'ready';
  /** Name of the worker. */
  readonly worker: string;
  /** URL of the store without credentials. */
  readonly url: string;
  /** Name of the queue in the store. */
  readonly queue: string;
  /** Labels of the worker. */
  readonly labels: readonly string[];
  /** Steps that the worker runs at the same time, at most. */
  readonly concurrency: number;
  /** True if the worker has a secret and takes signed jobs only. */
  readonly isSigned: boolean;
  /** What steps may ask for, at most. */
  readonly allow: Ceiling;
  /** Remarks, such as a store that may lose jobs. */
  readonly notes: readonly string[];
}

/** The worker has taken a job. */
export interface JobStartedEvent {
  readonly type: 'job-started';
  /** Id of the job. */
  readonly jobId: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Beginning of the prompt, on one line. */
  readonly prompt: string;
  /** Time in the queue in milliseconds. */
  readonly waitMs: number;
}

/**
 * An attempt ended on this worker, and the store has the end. `lost`: this worker has no right to the job any more, and its
 * result does not count; `message` says why. `returned`: the job is back on the queue.
 */
export interface JobFinishedEvent {
  readonly type: 'job-finished';
  /** Id of the job. */
  readonly jobId: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** How the attempt ended. */
  readonly outcome: 'succeeded' | 'failed' | 'lost' | 'returned';
  /** Code of the error of a failed attempt. */
  readonly code?: ErrorCode | undefined;
  /** Message of that error, or why the job was lost. */
  readonly message?: string | undefined;
  /** Duration of the attempt in milliseconds. */
  readonly durationMs: number;
}

/** The whole queue is paused: no worker takes a job before the time. */
export interface QueuePausedEvent {
  readonly type: 'queue-paused';
  /** Code of the error that led to the pause. */
  readonly code: ErrorCode;
  /** Message of that error. */
  readonly message: string;
  /** End of the pause, ISO 8601. */
  readonly until: string;
}

/**
 * This worker takes no more jobs: its login or its CLI does not work, its disk is full, or its secret may be wrong. The worker
 * takes jobs again at the time `until`, or when its secret has proven right, with another `ready`.
 */
export interface AdmissionStoppedEvent {
  readonly type: 'admission-stopped';
  /** Code of the error that led to the stop. */
  readonly code: ErrorCode;
  /** Message of that error. */
  readonly message: string;
  /** End of the stop, ISO 8601. Absent if the worker takes no jobs until it is started again. */
  readonly until?: string | undefined;
}

/** The connection to the store is lost or back. Running steps go on until their locks are over. */
export interface StoreConnectionEvent {
  readonly type: 'store-connection';
  /** True if the store answers again. */
  readonly isConnected: boolean;
  /** What the store or the network reported, without credentials. */
  readonly message: string;
}

/**
 * The store answers, but does not take what this worker writes: it is full, read-only or does not permit a command. The event comes
 * once for each kind of problem. The worker takes no jobs until the store works again, with another `ready`.
 */
export interface StoreProblemEvent {
  readonly type: 'store-problem';
  /** Code of the problem. */
  readonly code: ErrorCode;
  /** What is wrong with the store, without credentials. */
  readonly message: string;
}

/** The worker finishes what it has. */
export interface WorkerDrainingEvent {
  readonly type: 'draining';
  /** Steps that still run. */
  readonly running: number;
}

/** The worker has ended. */
export interface WorkerClosedEvent {
  readonly type: 'closed';
}

/** Events of a worker, for a log or a view. */
export type StepWorkerEvent =
  | WorkerReadyEvent
  | JobStartedEvent
  | JobFinishedEvent
  | QueuePausedEvent
  | AdmissionStoppedEvent
  | StoreConnectionEvent
  | StoreProblemEvent
  | WorkerDrainingEvent
  | WorkerClosedEvent;
