import type { Duration } from './duration.js';
import type { ExpectedCommand } from './expectations.js';

/** Commands that run at the end of a batch. */
export interface FinishSettings {
  /**
   * Command to run once the reports are written, also after a failure, a stop or a cancel, or a list of commands. A string
   * is split at blanks, with quotes; no shell runs. The folder is that of the plan. A failure is a warning of the batch.
   *
   * @defaultValue none
   */
  readonly onFinish?: string | ExpectedCommand | readonly (string | ExpectedCommand)[] | undefined;
  /**
   * Time for each command of `onFinish` that sets no `timeout`: seconds, or a text as `5m`.
   *
   * @defaultValue `60`
   */
  readonly onFinishTimeout?: Duration | undefined;
}
