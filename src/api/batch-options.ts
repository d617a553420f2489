import type { BatchLimits } from './batch-limits.js';
import type { BatchObserver } from './batch-observer.js';
import type { FinishSettings } from './finish-settings.js';
import type { ProviderConfig } from './provider-config.js';
import type { ResponseProvider } from './response-provider.js';

/**
 * Part of a plan to run. A pattern is the id of a step, the id of a matrix in the plan (all its steps), or a glob over
 * ids (`convert*`, `docs/**`). Steps that are not selected keep the results of earlier runs.
 */
export interface StepSelection {
  /**
   * Run these steps, and the steps that they need and that have no result yet.
   *
   * @defaultValue all steps
   */
  readonly only?: string | readonly string[] | undefined;
  /**
   * Run these steps and all steps that need them, directly or indirectly.
   *
   * @defaultValue all steps
   */
  readonly from?: string | readonly string[] | undefined;
  /**
   * Leave out these steps, and steps that need one of them without a result.
   *
   * @defaultValue none
   */
  readonly skip?: string | readonly string[] | undefined;
  /**
   * Run only steps that failed, were cancelled or interrupted, and steps that were skipped because of them.
   *
   * @defaultValue `false`
   */
  readonly retryFailed?: boolean | undefined;
}

/** Options of `runBatch`. Limits and commands given here override those of the plan. */
export interface BatchOptions extends BatchLimits, FinishSettings, StepSelection {
  /**
   * Folder for the reports. Without it nothing is written, and the batch cannot be resumed.
   *
   * @defaultValue none
   */
  readonly out?: string | undefined;
  /**
   * Folder for the state of batches: ledger, baseline and records for the clean-up. Each output folder gets a folder of
   * its own in it, readable by its owner only. It must lie outside of all folders that agents may write to.
   *
   * @defaultValue `gemini-cli-provider/batches` in the user's state directory (`XDG_STATE_HOME`, `~/.local/state`)
   */
  readonly state?: string | undefined;
  /**
   * Start from the beginning and ignore the ledger. The old ledger and step folders are renamed.
   *
   * @defaultValue `false`
   */
  readonly fresh?: boolean | undefined;
  /**
   * Import a ledger without signatures, which version 0.1.0 has written to `out`. Its results are believed as they are.
   *
   * @defaultValue `false`
   */
  readonly acceptOldLedger?: boolean | undefined;
  /**
   * Check before the first step what would make every step fail: CLI, login, trust, git, sandbox, folders. The check
   * makes no request. It does not run for a `provider` that the caller gives, unless the value is `'provider'`: then the
   * batch asks `provider.validate()`, and checks git alone itself.
   *
   * @defaultValue `true`
   */
  readonly preflight?: boolean | 'provider' | undefined;
  /**
   * Provider that runs the steps. The batch does not dispose of a provider that it is given.
   *
   * @defaultValue a `GeminiCliProvider` with `transport: 'acp'`, disposed of at the end of the batch
   */
  readonly provider?: ResponseProvider | undefined;
  /**
   * Configuration of the default provider. Keys in the plan override it.
   *
   * @defaultValue `{}`
   */
  readonly config?: ProviderConfig | undefined;
  /**
   * Folder to which paths in a plan from code are relative. A plan file uses its own folder.
   *
   * @defaultValue the current directory
   */
  readonly baseDir?: string | undefined;
  /**
   * Observer of the batch, such as the one of `traceBatch`.
   *
   * @defaultValue none
   */
  readonly observer?: BatchObserver | undefined;
  /**
   * Cancels the batch and its running steps when it is aborted. The batch can be resumed.
   *
   * @defaultValue none
   */
  readonly signal?: AbortSignal | undefined;
}
