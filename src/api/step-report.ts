import type { Isolation } from './batch-plan.js';
import type { CostEstimate } from './cost.js';
import type { ErrorCode, ProviderErrorData } from './error.js';
import type { ExpectationReport } from './expectations.js';
import type { JobReport } from './job-report.js';
import type { ManifestFile } from './manifest.js';
import type { StepWarning, Usage } from './result.js';
import type { DeniedTool } from './tool.js';

/**
 * State of a step. `skipped`: the step did not run, see `skip`. `pending`: the batch stopped before the step ran, or its
 * earlier result is out of date; the step runs when the batch is resumed. `running`: an attempt is at work. `merging`:
 * an attempt has succeeded, its changes are saved and wait for their merge. The last two are states of a batch at work,
 * or of one that was killed. A step that is `merging` after the end of the batch is merged by the next run that selects it.
 */
export type StepState =
  | 'succeeded'
  | 'failed'
  | 'skipped'
  | 'cancelled'
  | 'pending'
  | 'running'
  | 'merging';

/**
 * Reason why an attempt runs. `new`: the step has no result yet. `prompt`, `configuration`, `inputs`, `needs`: this has
 * changed since the result of an earlier run. `failed`, `cancelled`, `interrupted`: the last attempt ended like this in
 * an earlier run. `retry`: the attempt before failed in the same run. `damaged`: the result in the ledger, or its
 * saved changes, were damaged.
 */
export type AttemptReason =
  | 'new'
  | 'prompt'
  | 'configuration'
  | 'inputs'
  | 'needs'
  | 'failed'
  | 'cancelled'
  | 'interrupted'
  | 'retry'
  | 'damaged';

/** Reason why a step was skipped. */
export interface StepSkip {
  /** `need`: a step that it needs has no result. `condition`: `when` is false. `selection`: the run was told to leave it out. */
  readonly reason: 'need' | 'condition' | 'selection';
  /** Reason in words. */
  readonly message: string;
  /** Id of the step without a result, for `need`. */
  readonly stepId?: string | undefined;
}

/** Report of one attempt of a step. */
export interface AttemptReport {
  /** Number of the attempt, from 1, counted over all runs of the batch. */
  readonly number: number;
  /** Lane in which the attempt ran, from 0. Attempts at the same time have different lanes. */
  readonly lane: number;
  /** Start of the attempt, ISO 8601. */
  readonly startedAt: string;
  /** End of the agent's work, ISO 8601. Absent if the attempt is running, or the batch was killed during the attempt. */
  readonly endedAt?: string | undefined;
  /** End of the merge of its changes, ISO 8601. Absent for a `shared` step, and as long as nothing is merged. */
  readonly mergedAt?: string | undefined;
  /**
   * Time that the attempt waited before its work, in the queue or for a slot of the pool, in milliseconds. Absent if it
   * did not wait.
   */
  readonly waitedMs?: number | undefined;
  /** Reason why the attempt ran. Absent in ledgers of earlier versions. */
  readonly reason?: AttemptReason | undefined;
  /** Keys of the configuration (for `configuration`) or paths of the files (for `inputs`) that have changed. */
  readonly changed?: readonly string[] | undefined;
  /** Model that the attempt asked for. Absent if the CLI chose one. */
  readonly model?: string | undefined;
  /** `succeeded`, `running`, `interrupted` (the batch was killed), or the code of the error. */
  readonly outcome: 'succeeded' | 'running' | 'interrupted' | ErrorCode;
  /** Message of the error, for a failed attempt. */
  readonly message?: string | undefined;
  /** Turns that were spent on repairs. */
  readonly repairs: number;
  /** Tokens of the attempt. Absent if the agent reports none. */
  readonly usage?: Usage | undefined;
  /** Estimate of the cost of the attempt by list price. Absent if `usage` is. */
  readonly cost?: CostEstimate | undefined;
  /** Id of the `generate()` of the attempt. Absent if the provider names none, or ended before its first event. */
  readonly generationId?: string | undefined;
  /** Id of the agent's session. */
  readonly sessionId?: string | undefined;
  /**
   * Worker and job of the attempt, with the workers that were lost on the way. Absent if the attempt did not come through a
   * queue, or no worker has taken it.
   */
  readonly job?: JobReport | undefined;
}

/** Report of one step of a batch. */
export interface StepReport {
  /** Id of the step. A step of a matrix has its values in brackets: `convert[src/a.ts]`. */
  readonly id: string;
  /** Id in the plan. All steps of a matrix have the same one. */
  readonly planId: string;
  /** Ids of the steps that it needs. A step that needs a whole matrix has the matrix's id in the plan. */
  readonly needs: readonly string[];
  /** Working directory, relative to the common folder of all steps. An empty string is that folder itself. */
  readonly folder: string;
  /** Outcome of the step. */
  readonly state: StepState;
  /** Id of the failed step that caused the skip, for a skipped step. */
  readonly skippedBecauseOf?: string | undefined;
  /** Reason of the skip, for a skipped step. */
  readonly skip?: StepSkip | undefined;
  /** True if a failure of the step does not fail the batch. */
  readonly continueOnError?: boolean | undefined;
  /** True if the result is that of an earlier run of the batch. */
  readonly reused: boolean;
  /** True if the last run was told to leave out the step. Its state is then that of an earlier run, or `skipped`. */
  readonly leftOut?: boolean | undefined;
  /** Folder in which the step works. */
  readonly isolation: Isolation;
  /** Prompt as it was sent. Absent for a step that never started. */
  readonly prompt?: string | undefined;
  /** Attempts of all runs of the batch, oldest first. */
  readonly attempts: readonly AttemptReport[];
  /** Sum of the durations of all attempts, in milliseconds, without the time that they waited. */
  readonly durationMs: number;
  /** Time that all attempts waited in the queue or for a slot, and from the end of their work to the end of their merge, in milliseconds. */
  readonly waitMs: number;
  /** Text of the result, or the partial text of a failed step. */
  readonly text?: string | undefined;
  /** JSON that `expects.json` extracted from the answer. */
  readonly data?: unknown;
  /** Files that the step touched. Paths are relative to the common folder of all steps. */
  readonly files: readonly ManifestFile[];
  /** Name of the commit with the files of the step. Absent without `commit`, and if there was nothing to commit. */
  readonly commit?: string | undefined;
  /** Tokens of all attempts. Absent for a step that never started. */
  readonly usage?: Usage | undefined;
  /** Estimate of the cost of all attempts by list price. Absent if no attempt has a usage. */
  readonly cost?: CostEstimate | undefined;
  /** Model that the step asked for. */
  readonly model?: string | undefined;
  /** Id of the `generate()` that gave this result, or of the last one that failed. */
  readonly generationId?: string | undefined;
  /** Id of the agent's session. */
  readonly sessionId?: string | undefined;
  /** Tool calls that were refused. */
  readonly deniedTools: readonly DeniedTool[];
  /** Results of the conditions of `expects`, at most 100. Absent if the step has none, or they were not checked. */
  readonly expectations?: readonly ExpectationReport[] | undefined;
  /** Warnings of the step. */
  readonly warnings: readonly StepWarning[];
  /** Error of a failed step, without secrets. */
  readonly error?: ProviderErrorData | undefined;
}
