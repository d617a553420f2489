import type { CostEstimate } from './cost.js';
import type { FileChangeKind } from './manifest.js';
import type { Usage } from './result.js';
import type { StepReport, StepState } from './step-report.js';

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
 * Reason why a batch stopped: an error that every further step would meet too (`QUOTA_EXHAUSTED`, `AUTH`,
 * `UNTRUSTED_WORKSPACE`, `CLI_NOT_FOUND`, `CLI_CONFIG`, `SANDBOX`), the check before the first step (`preflight`), a limit
 * of the plan, `stop()` (`interrupted`), or `cancel()` and the `signal` (`cancelled`).
 * `killed`: the process of the batch is gone and has written no end. Only `batch status`, `batch watch` and `batch report` find this.
 */
export type StopReason =
  | 'QUOTA_EXHAUSTED'
  | 'AUTH'
  | 'UNTRUSTED_WORKSPACE'
  | 'CLI_NOT_FOUND'
  | 'CLI_CONFIG'
  | 'SANDBOX'
  | 'preflight'
  | 'maxTotalTokens'
  | 'maxCost'
  | 'maxDuration'
  | 'maxFailures'
  | 'failFast'
  | 'interrupted'
  | 'cancelled'
  | 'killed';

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
   * `UNEXPLAINED_CHANGES`: an attempt was killed, and files changed that no step reported. `NEEDS_ADDED`: steps run that
   * were not selected, because a selected step needs them and they have no result. `COMMIT_FAILED`: the changes of a step
   * are merged, but not committed. `ON_FINISH_FAILED`: a command of `onFinish` failed.
   */
  readonly code:
    | 'SAME_FILE'
    | 'TORN_LEDGER'
    | 'DAMAGED_LEDGER'
    | 'LEDGER_SET_ASIDE'
    | 'LEASE_WAIT'
    | 'LEFTOVERS_REMOVED'
    | 'LEFTOVERS_KEPT'
    | 'UNEXPLAINED_CHANGES'
    | 'NEEDS_ADDED'
    | 'COMMIT_FAILED'
    | 'ON_FINISH_FAILED';
  /** The warning in words. */
  readonly message: string;
  /** Ids of the steps that are concerned. */
  readonly steps: readonly string[];
  /** Paths of the files that are concerned. */
  readonly paths?: readonly string[] | undefined;
}

/** Versions and origin of one run of a batch. */
export interface BatchEnvironment {
  /** Version of this package. */
  readonly packageVersion: string;
  /** Version of Node.js. */
  readonly nodeVersion: string;
  /** Version of the Gemini CLI. Absent if the steps run with another provider, or the version is not known. */
  readonly cliVersion?: string | undefined;
  /** Name of the host. */
  readonly host: string;
  /** Operating system and processor, as `linux x64`. */
  readonly platform: string;
  /** Commit of the repository at the start of the run, with `-dirty` for uncommitted changes. Absent without git. */
  readonly commit?: string | undefined;
  /** Absolute path of the plan file. Absent for a plan from code. */
  readonly planFile?: string | undefined;
}

/** Time and environment of one run of a batch. */
export interface BatchRunReport {
  /** Start of the run, ISO 8601. */
  readonly startedAt: string;
  /** End of the run, its last ledger line if it was killed, or the time of the report if it is at work. ISO 8601. */
  readonly endedAt: string;
  /** Versions, host and plan of the run. Absent in ledgers of earlier versions. */
  readonly environment?: BatchEnvironment | undefined;
}

/** Report of a whole batch. `await runBatch(…)` and `report.json` give it. */
export interface BatchReport {
  /** Name of the plan. */
  readonly name: string;
  /** Hash of the expanded plan. The same plan has the same hash. */
  readonly planHash: string;
  /**
   * `succeeded`: all steps succeeded, were skipped by a condition, or failed with `continueOnError`. `failed`: some
   * failed or were skipped because of that. `stopped`: some did not run and can be resumed. `running`: the batch is at
   * work. If the last run was told to run a part of the plan, the outcome is that of this part.
   */
  readonly outcome: 'succeeded' | 'failed' | 'stopped' | 'running';
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
  /** Estimate of the cost of all attempts of all steps, by list price. Absent if no attempt has a usage. */
  readonly cost?: CostEstimate | undefined;
  /** Reports of the steps, in the order of the plan. */
  readonly steps: readonly StepReport[];
  /** Files that the steps touched, sorted by path. */
  readonly files: readonly BatchFile[];
  /** Warnings about the batch as a whole. */
  readonly warnings: readonly BatchWarning[];
}
