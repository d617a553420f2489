import type { Isolation } from './batch-plan.js';
import type { ErrorCode, ProviderErrorData } from './error.js';
import type { FileChangeKind, ManifestFile } from './manifest.js';
import type { StepWarning, Usage } from './result.js';
import type { DeniedTool } from './tool.js';

/** `pending`: not begun or to be done anew, because the batch was stopped. It runs when the batch is resumed. */
export type StepState = 'succeeded' | 'failed' | 'skipped' | 'cancelled' | 'pending';

/** One try of a step. */
export interface AttemptReport {
  /** From 1 on, over all runs of the batch. */
  readonly number: number;
  /** The lane in which the attempt ran, from 0 on: steps in one lane run one after another. */
  readonly lane: number;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Absent where the batch died in the middle of it. */
  readonly endedAt?: string | undefined;
  /** `succeeded`, `interrupted`, or the code of its error. */
  readonly outcome: 'succeeded' | 'interrupted' | ErrorCode;
  readonly message?: string | undefined;
  /** Turns that were spent on mending. */
  readonly repairs: number;
  readonly usage?: Usage | undefined;
  /** The id of the `generate()` behind the attempt; absent if the provider names none, or died before its first event. */
  readonly generationId?: string | undefined;
  readonly sessionId?: string | undefined;
}

export interface StepReport {
  readonly id: string;
  readonly planId: string;
  /** Ids of steps; where it needs all steps of a matrix, the id that the matrix has in the plan. */
  readonly needs: readonly string[];
  /** Its working directory, from the folder that those of all steps have in common; mostly ''. */
  readonly folder: string;
  readonly state: StepState;
  /** Of a skipped step: the step whose failure is the reason. */
  readonly skippedBecauseOf?: string | undefined;
  /** True where the result of an earlier run of the batch still stands. */
  readonly reused: boolean;
  readonly isolation: Isolation;
  /** As it was sent. */
  readonly prompt?: string | undefined;
  readonly attempts: readonly AttemptReport[];
  readonly durationMs: number;
  readonly text?: string | undefined;
  /** What `expects.json` extracted. */
  readonly data?: unknown;
  /** Paths are from the folder that the working directories of all steps have in common. */
  readonly files: readonly ManifestFile[];
  readonly usage?: Usage | undefined;
  readonly model?: string | undefined;
  /** Of the attempt that gave this result, or of the last one that failed. */
  readonly generationId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly deniedTools: readonly DeniedTool[];
  readonly warnings: readonly StepWarning[];
  readonly error?: ProviderErrorData | undefined;
}

/** A file of the whole batch: all steps that touched it, seen together. */
export interface BatchFile {
  /** From the folder that the working directories of all steps have in common. */
  readonly path: string;
  readonly absolutePath: string;
  /** From before the first of these steps to after the last. */
  readonly kind: FileChangeKind;
  readonly sha256Before?: string | undefined;
  readonly sha256After?: string | undefined;
  readonly bytes: number;
  /** In the order in which they wrote it. */
  readonly steps: readonly string[];
  /** Steps that wrote it at the same time, or whose changes did not go together. */
  readonly conflicts: readonly string[];
}

export type StopReason =
  | 'QUOTA_EXHAUSTED'
  | 'AUTH'
  | 'maxTotalTokens'
  | 'maxDuration'
  | 'maxFailures'
  | 'failFast'
  | 'interrupted'
  | 'cancelled';

/** Why no more steps were admitted. */
export interface BatchStop {
  readonly reason: StopReason;
  /** One line for people, with what to do. */
  readonly message: string;
  readonly stepId?: string | undefined;
}

export interface BatchWarning {
  readonly code: 'SAME_FILE' | 'TORN_LEDGER' | 'LEFTOVERS_REMOVED' | 'UNEXPLAINED_CHANGES';
  readonly message: string;
  readonly steps: readonly string[];
  /** The files it is about. */
  readonly paths?: readonly string[] | undefined;
}

/** From the beginning of one run of the batch to its end, or to the last that is known of it. */
export interface BatchRunReport {
  /** ISO 8601. */
  readonly startedAt: string;
  readonly endedAt: string;
}

export interface BatchReport {
  readonly name: string;
  readonly planHash: string;
  /** `succeeded`: every step did. `stopped`: the rest can be resumed; also while the batch is at work. */
  readonly outcome: 'succeeded' | 'failed' | 'stopped';
  readonly stop?: BatchStop | undefined;
  readonly startedAt: string;
  readonly endedAt: string;
  /** More than one where the batch was resumed. */
  readonly runs: readonly BatchRunReport[];
  /** Of all runs of the batch together, the time between them left out. */
  readonly durationMs: number;
  readonly counts: Readonly<Record<StepState, number>>;
  readonly usage: Usage;
  /** In the order of the plan. */
  readonly steps: readonly StepReport[];
  readonly files: readonly BatchFile[];
  readonly warnings: readonly BatchWarning[];
}
