/** An attempt of a job that its worker did not finish: the worker died, was cut off from the store, or was frozen. */
export interface LostAttempt {
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Name of the worker that was lost. */
  readonly worker: string;
  /** Host of that worker. */
  readonly host: string;
}

/** Where a step ran that came through a queue. */
export interface JobReport {
  /** Id of the job in the queue. */
  readonly jobId: string;
  /** Name of the worker that ran the step. */
  readonly worker: string;
  /** Host of the worker. */
  readonly host: string;
  /** Number of the attempt that ended with this result, from 1. */
  readonly attempt: number;
  /** Time in the queue before a worker took the job, and after a worker gave the job back, in milliseconds. */
  readonly waitMs: number;
  /** Earlier attempts whose workers were lost. */
  readonly lost: readonly LostAttempt[];
}
