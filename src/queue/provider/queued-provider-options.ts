import type { Duration } from '../../api/duration.js';
import type { ProviderConfig } from '../../api/provider-config.js';
import type { TravellingKey } from '../protocol/travelling-options.js';
import type { QueueConnection } from '../queue-connection.js';
import type { ShipLimits } from '../ship-limits.js';

/**
 * How the working directory of a step reaches the worker. `shared`: the worker has the same folder under the same path.
 * `ship`: the folder is sent through the store. `{ remote }`: the folder is sent through a git remote with this URL.
 * `auto`: `shared` if the store is on loopback and the folder is no temporary one of a batch, else `ship`.
 */
export type QueuedWorkspace = 'auto' | 'shared' | 'ship' | { readonly remote: string };

/** How long ended jobs stay in the store, with their results. */
export interface RetentionSettings {
  /**
   * Age at which an ended job is removed: seconds, or a text as `24h`.
   *
   * @defaultValue `'24h'`
   */
  readonly age?: Duration | undefined;
  /**
   * Most ended jobs that are kept.
   *
   * @defaultValue `10_000`
   */
  readonly count?: number | undefined;
}

/** Options of one step that goes through a queue. Those of `ProviderConfig` travel to the worker. */
export interface QueuedOptions extends Pick<ProviderConfig, TravellingKey | 'workingDir'> {
  /**
   * Cancels the step when it is aborted. The step then fails with CANCELLED.
   *
   * @defaultValue none
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Labels that a worker must have to run this step.
   *
   * @defaultValue those of the provider
   */
  readonly labels?: string | readonly string[] | undefined;
  /**
   * Priority of this step, from 0. A step with a lower number is taken first.
   *
   * @defaultValue that of the provider
   */
  readonly priority?: number | undefined;
}

/** Options of `QueuedProvider`. */
export interface QueuedProviderOptions extends QueueConnection {
  /**
   * How the working directory of a step reaches the worker.
   *
   * @defaultValue `'auto'`
   */
  readonly workspace?: QueuedWorkspace | undefined;
  /**
   * Ignored files that travel with the workspace: globs relative to the working directory.
   *
   * @defaultValue `[]`: ignored files stay at home
   */
  readonly include?: string | readonly string[] | undefined;
  /**
   * Command that prepares a shipped workspace on the worker, such as `npm ci`. A string is split at blanks, with quotes;
   * no shell runs it. The worker must allow commands.
   *
   * @defaultValue none
   */
  readonly setup?: string | readonly string[] | undefined;
  /**
   * Limits of a workspace that is shipped.
   *
   * @defaultValue those of `ShipLimits`
   */
  readonly limits?: ShipLimits | undefined;
  /**
   * Labels that a worker must have to run the steps of this provider.
   *
   * @defaultValue `[]`
   */
  readonly labels?: string | readonly string[] | undefined;
  /**
   * Attempts of a step whose error is retryable, from 1. A batch retries by itself: leave `1` there.
   *
   * @defaultValue `1`
   */
  readonly attempts?: number | undefined;
  /**
   * Priority of the steps, from 0. A step with a lower number is taken first.
   *
   * @defaultValue `0`
   */
  readonly priority?: number | undefined;
  /**
   * Leave running jobs on the queue when the provider is disposed of, or the caller leaves the stream.
   *
   * @defaultValue `false`: they are cancelled
   */
  readonly detach?: boolean | undefined;
  /**
   * Time that a step may wait for a worker: seconds, or a text as `2h`. The step then fails with TIMEOUT.
   *
   * @defaultValue `'24h'`
   */
  readonly waitTimeout?: Duration | undefined;
  /**
   * How long ended jobs stay in the store.
   *
   * @defaultValue 24 hours, at most 10,000 jobs
   */
  readonly retention?: RetentionSettings | undefined;
  /**
   * Time between two looks at the state of the jobs: seconds, or a text as `500ms`.
   *
   * @defaultValue `1`
   */
  readonly pollInterval?: Duration | undefined;
  /**
   * Function that is told when the connection to the store is lost and when it is back. Steps wait meanwhile. The message
   * has no credentials.
   *
   * @defaultValue none
   */
  readonly onConnection?: ((isConnected: boolean, message: string) => void) | undefined;
  /**
   * Options of each step. Options of a call override them.
   *
   * @defaultValue `{}`: the configuration of the worker applies
   */
  readonly config?: Pick<ProviderConfig, TravellingKey | 'workingDir'> | undefined;
}
