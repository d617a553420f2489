import type { Duration } from '../../api/duration.js';
import type { ApprovalMode } from '../../api/provider-config.js';
import type { ResponseProvider } from '../../api/response-provider.js';
import type { QueueConnection } from '../queue-connection.js';
import type { ShippingOptions } from './shipping-options.js';
import type { StepWorkerEvent } from './step-worker-event.js';

/** What steps from the queue may ask for on a worker. A step that asks for more fails with INVALID_CONFIG. */
export interface AllowedSettings {
  /**
   * Highest approval mode, in the order `plan`, `default`, `auto_edit`, `yolo`.
   *
   * @defaultValue `'auto_edit'`
   */
  readonly approvalMode?: ApprovalMode | undefined;
  /**
   * Rules that a step may have in its `allowedTools`. With the mode `yolo`, every rule is allowed.
   *
   * @defaultValue `[]`
   */
  readonly allowedTools?: string | readonly string[] | undefined;
  /**
   * Let a step set `allowRedirection`, and take protected paths away with `protectedPaths`.
   *
   * @defaultValue `true` with the mode `yolo`, else `false`
   */
  readonly weakerProtection?: boolean | undefined;
  /**
   * Let a step run commands of its own on the worker: `expects.command` and `setup`.
   *
   * @defaultValue `true`
   */
  readonly commands?: boolean | undefined;
  /**
   * Folders in which a step may work without a copy, because the caller has them under the same path
   * (`workspace: 'shared'`), with everything below them. `false` allows none.
   *
   * @defaultValue `true`: every folder
   */
  readonly sharedFolders?: boolean | string | readonly string[] | undefined;
}

/** Options of `createStepProcessor`. */
export interface StepProcessorOptions extends QueueConnection, ShippingOptions {
  /**
   * Name of the worker in events and reports.
   *
   * @defaultValue the host name and the process id
   */
  readonly workerName?: string | undefined;
  /**
   * What steps may ask for.
   *
   * @defaultValue files may be written and commands of `expects` may run; shell commands of the agent may not
   */
  readonly allow?: AllowedSettings | undefined;
  /**
   * Folder of the worker for shipped workspaces. It is a cache: the worker fills it again if it is removed.
   *
   * @defaultValue `gemini-cli-provider/queue` in the user's cache directory (`XDG_CACHE_HOME`, `~/.cache`)
   */
  readonly cacheDir?: string | undefined;
  /**
   * Command that prepares a shipped workspace, if the step names none. A string is split at blanks, with quotes; no shell
   * runs it.
   *
   * @defaultValue none
   */
  readonly setup?: string | readonly string[] | undefined;
  /**
   * Most pauses after RATE_LIMITED that one job goes through. The job then fails with RATE_LIMITED.
   *
   * @defaultValue `10`
   */
  readonly maxRateLimits?: number | undefined;
  /**
   * Longest time that one job spends in such pauses: seconds, or a text as `30m`.
   *
   * @defaultValue `'30m'`
   */
  readonly maxRateLimitWait?: Duration | undefined;
}

/** Options of `createStepWorker`. */
export interface StepWorkerOptions extends StepProcessorOptions {
  /** Provider that runs the steps. The worker does not dispose of it. */
  readonly provider: ResponseProvider;
  /**
   * Steps that run at the same time, at most.
   *
   * @defaultValue `1`
   */
  readonly concurrency?: number | undefined;
  /**
   * Labels of this worker. The worker takes steps that ask for no labels, or for some of these.
   *
   * @defaultValue `[]`
   */
  readonly labels?: string | readonly string[] | undefined;
  /**
   * Time after which a job whose worker gives no sign of life is taken from that worker: seconds, or a text as `15s`.
   *
   * @defaultValue `15`
   */
  readonly lockTime?: Duration | undefined;
  /**
   * Time between two searches for such jobs: seconds, or a text as `5s`.
   *
   * @defaultValue `5`
   */
  readonly checkTime?: Duration | undefined;
  /**
   * How often a job may lose its worker. One more time, and the job fails with INCOMPLETE.
   *
   * @defaultValue `3`
   */
  readonly maxLostAttempts?: number | undefined;
  /**
   * Function that gets the events of the worker. What it throws is logged.
   *
   * @defaultValue none
   */
  readonly onEvent?: ((event: StepWorkerEvent) => void) | undefined;
}

/** Options of `StepWorker.close`. */
export interface CloseOptions {
  /**
   * Let running steps finish. Without it they are ended at once, and their jobs go back to the queue.
   *
   * @defaultValue `true`
   */
  readonly drain?: boolean | undefined;
  /**
   * Longest wait for running steps: seconds, or a text as `5m`. Steps that still run then are ended, and their jobs go
   * back to the queue.
   *
   * @defaultValue `'10m'`
   */
  readonly limit?: Duration | undefined;
}
