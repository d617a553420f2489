import type { Isolation } from './batch-plan.js';
import type { ErrorCode, ProviderErrorData } from './error.js';
import type { FileChangeKind, ManifestFile } from './manifest.js';
import type { StepWarning, Usage } from './result.js';
import type { DeniedTool } from './tool.js';

/**
 * Outcome of a step. `skipped`: a step that it needs failed. `pending`: the batch stopped before the step ran, or its
 * earlier result is out of date; the step runs when the batch is resumed.
 */
export type StepState = 'succeeded' | 'failed' | 'skipped' | 'cancelled' | 'pending';

/** Report of one attempt of a step. */
export interface AttemptReport {
  /** Number of the attempt, from 1, counted over all runs of the batch. */
  readonly number: number;
  /** Lane in which the attempt ran, from 0. Attempts at the same time have different lanes. */
  readonly lane: number;
  /** Start of the attempt, ISO 8601. */
  readonly startedAt: string;
  /** End of the attempt, ISO 8601. Absent if the batch was killed during the attempt. */
  readonly endedAt?: string | undefined;
  /** `succeeded`, `interrupted` (the batch was killed), or the code of the error. */
  readonly outcome: 'succeeded' | 'interrupted' | ErrorCode;
  /** Message of the error, for a failed attempt. */
  readonly message?: string | undefined;
  /** Turns that were spent on repairs. */
  readonly repairs: number;
  /** Tokens of the attempt. Absent if the agent reports none. */
  readonly usage?: Usage | undefined;
  /** Id of the `generate()` of the attempt. Absent if the provider names none, or ended before its first event. */
  readonly generationId?: string | undefined;
  /** Id of the agent's session. */
  readonly sessionId?: string | undefined;
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
  /** True if the result is that of an earlier run of the batch. */
  readonly reused: boolean;
  /** Folder in which the step works. */
  readonly isolation: Isolation;
  /** Prompt as it was sent. Absent for a step that never started. */
  readonly prompt?: string | undefined;
  /** Attempts of all runs of the batch, oldest first. */
  readonly attempts: readonly AttemptReport[];
  /** Sum of the durations of all attempts, in milliseconds. */
  readonly durationMs: number;
  /** Text of the result, or the partial text of a failed step. */
  readonly text?: string | undefined;
  /** JSON that `expects.json` extracted from the answer. */
  readonly data?: unknown;
  /** Files that the step touched. Paths are relative to the common folder of all steps. */
  readonly files: readonly ManifestFile[];
  /** Tokens of all attempts. Absent for a step that never started. */
  readonly usage?: Usage | undefined;
  /** Model that the step asked for. */
  readonly model?: string | undefined;
  /** Id of the `generate()` that gave this result, or of the last one that failed. */
  readonly generationId?: string | undefined;
  /** Id of the agent's session. */
  readonly sessionId?: string | undefined;
  /** Tool calls that were refused. */
  readonly deniedTools: readonly DeniedTool[];
  /** Warnings of the step. */
  readonly warnings: readonly StepWarning[];
  /** Error of a failed step, without secrets. */
  readonly error?: ProviderErrorData | undefined;
}

/** A file that one or more steps of the batch touched. */
export interface BatchFile {
  /** Path relative to the common folder of all steps, with forward slashes. */
  readonly path: string;
  /** Absolute path of the file. */
  readonly absolutePath: string;
  /** Change from before the first of these steps to after the last. */
  readonly kind: FileChangeKind;
  /** SHA-256 before the first step, in hex. Absent if the file did not exist or its content is not known. */
  readonly sha256Before?: string | undefined;
  /** SHA-256 after the last step, in hex. Absent if the file is gone. */
  readonly sha256After?: string | undefined;
  /** Size in bytes after the last step. `0` for a deleted file. */
  readonly bytes: number;
  /** Ids of the steps that wrote the file, in the order in which they ended. */
  readonly steps: readonly string[];
  /** Ids of the steps that wrote the file at the same time, or whose changes could not be merged. */
  readonly conflicts: readonly string[];
  /** Why the file is sensitive: it runs code later, or an agent obeys it. Absent for other files. */
  readonly sensitive?: string | undefined;
}

/**
 * Reason why a batch stopped: an error that stops all steps (`QUOTA_EXHAUSTED`, `AUTH`), a limit of the plan,
 * `stop()` (`interrupted`), or `cancel()` and the `signal` (`cancelled`).
 */
export type StopReason =
  | 'QUOTA_EXHAUSTED'
  | 'AUTH'
  | 'maxTotalTokens'
  | 'maxDuration'
  | 'maxFailures'
  | 'failFast'
  | 'interrupted'
  | 'cancelled';

/** A stop of a batch: from then on no more steps are started. */
export interface BatchStop {
  /** Reason of the stop. */
  readonly reason: StopReason;
  /** Reason in words, with what to do, on one line. */
  readonly message: string;
  /** Id of the step that caused the stop. */
  readonly stepId?: string | undefined;
}

/** A warning about the batch as a whole. */
export interface BatchWarning {
  /**
   * `SAME_FILE`: steps at the same time wrote the same file. `TORN_LEDGER`: the ledger has an incomplete line.
   * `DAMAGED_LEDGER`: lines of the ledger or other files of the state are damaged or missing. `LEDGER_SET_ASIDE`: the
   * output folder is new, so the ledger of an earlier batch at the same path does not count. `LEASE_WAIT`: the batch
   * waits for the lease of another one to expire. `LEFTOVERS_REMOVED`: files of a killed run were removed.
   * `LEFTOVERS_KEPT`: files were not removed, because their owner may be alive or they do not belong to the plan.
   * `UNEXPLAINED_CHANGES`: an attempt was killed, and files changed that no step reported.
   */
  readonly code:
    | 'SAME_FILE'
    | 'TORN_LEDGER'
    | 'DAMAGED_LEDGER'
    | 'LEDGER_SET_ASIDE'
    | 'LEASE_WAIT'
    | 'LEFTOVERS_REMOVED'
    | 'LEFTOVERS_KEPT'
    | 'UNEXPLAINED_CHANGES';
  /** The warning in words. */
  readonly message: string;
  /** Ids of the steps that are concerned. */
  readonly steps: readonly string[];
  /** Paths of the files that are concerned. */
  readonly paths?: readonly string[] | undefined;
}

/** Time of one run of a batch. */
export interface BatchRunReport {
  /** Start of the run, ISO 8601. */
  readonly startedAt: string;
  /** End of the run, or its last ledger line if the run was killed or is not over, ISO 8601. */
  readonly endedAt: string;
}

/** Report of a whole batch. `await runBatch(…)` and `report.json` give it. */
export interface BatchReport {
  /** Name of the plan. */
  readonly name: string;
  /** Hash of the expanded plan. The same plan has the same hash. */
  readonly planHash: string;
  /**
   * `succeeded`: all steps succeeded. `failed`: some failed or were skipped. `stopped`: some did not run and can be
   * resumed, or the batch is still running.
   */
  readonly outcome: 'succeeded' | 'failed' | 'stopped';
  /** Reason why no more steps were started. Absent if the batch was not stopped. */
  readonly stop?: BatchStop | undefined;
  /** Start of the first run, ISO 8601. */
  readonly startedAt: string;
  /** End of the last run, ISO 8601. */
  readonly endedAt: string;
  /** Runs of the batch, oldest first. A resumed batch has several. */
  readonly runs: readonly BatchRunReport[];
  /** Sum of the durations of all runs, in milliseconds. */
  readonly durationMs: number;
  /** Number of steps in each state. */
  readonly counts: Readonly<Record<StepState, number>>;
  /** Tokens of all attempts of all steps. */
  readonly usage: Usage;
  /** Reports of the steps, in the order of the plan. */
  readonly steps: readonly StepReport[];
  /** Files that the steps touched, sorted by path. */
  readonly files: readonly BatchFile[];
  /** Warnings about the batch as a whole. */
  readonly warnings: readonly BatchWarning[];
}
