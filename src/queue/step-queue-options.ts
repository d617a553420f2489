import type { Duration } from '../api/duration.js';
import type { JobState } from './job-info.js';
import type { QueuedProviderOptions } from './provider/queued-provider-options.js';

/** Options of `StepQueue`. */
export interface StepQueueOptions extends Omit<QueuedProviderOptions, 'detach'> {}

/** Options of `StepQueue.list`. */
export interface JobListOptions {
  /**
   * State of the jobs.
   *
   * @defaultValue all states
   */
  readonly state?: JobState | undefined;
  /**
   * Most jobs in the list. The newest come first.
   *
   * @defaultValue `100`
   */
  readonly limit?: number | undefined;
}

/** Options of `StepQueue.clean`. */
export interface JobCleanOptions {
  /**
   * Age from which an ended job is removed: seconds, or a text as `24h`.
   *
   * @defaultValue `0`: all ended jobs
   */
  readonly olderThan?: Duration | undefined;
  /**
   * Number of the newest ended jobs that are kept, whatever their age.
   *
   * @defaultValue `0`
   */
  readonly keep?: number | undefined;
}

/** Options of `StepQueue.result`. */
export interface JobResultOptions {
  /**
   * Folder in which the changes of a shipped workspace are made.
   *
   * @defaultValue none: the changes stay in the store, and the manifest has the paths of the worker
   */
  readonly applyTo?: string | undefined;
  /**
   * Ends the wait when it is aborted. The job goes on.
   *
   * @defaultValue none
   */
  readonly signal?: AbortSignal | undefined;
}
