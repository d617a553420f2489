import type { BatchLimits } from './batch-plan.js';
import type { ResponseProvider } from './response-provider.js';

/** How a batch is run. Limits given here win over those of the plan. */
export interface BatchOptions extends BatchLimits {
  /** The folder for the ledger and, at the end, the reports. Default: nothing is written, nothing can be resumed. */
  readonly out?: string | undefined;
  /** Begin again, whatever the ledger says; the old one is kept under another name. Default false. */
  readonly fresh?: boolean | undefined;
  /**
   * Runs the steps. Default: a `GeminiCliProvider` on warm processes (`transport: "acp"`), ended with the batch.
   * One that is given is left to its owner.
   */
  readonly provider?: ResponseProvider | undefined;
  /** Configuration of the default provider, under that of the plan. Default: none. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /** Folders for a plan from code. Default: the current directory. */
  readonly baseDir?: string | undefined;
  /** Cancels the steps at work, and the batch. */
  readonly signal?: AbortSignal | undefined;
}
