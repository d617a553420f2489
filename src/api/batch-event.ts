import type { AgentEvent } from './agent-event.js';
import type { BatchReport, BatchStop, BatchWarning } from './batch-report.js';
import type { ErrorCode } from './error.js';
import type { AttemptReason, StepReport } from './step-report.js';

/** First event of a batch. */
export interface BatchStartedEvent {
  readonly type: 'batch-started';
  /** Name of the plan. */
  readonly name: string;
  /** Hash of the expanded plan. The same plan has the same hash. */
  readonly planHash: string;
  /** Ids of all steps, in the order of the plan. */
  readonly steps: readonly string[];
  /** True if the batch starts from the beginning. False if it resumes from an existing ledger. */
  readonly isFresh: boolean;
}

/** An attempt of a step starts. */
export interface StepStartedEvent {
  readonly type: 'step-started';
  /** Id of the step. */
  readonly stepId: string;
  /** Number of the attempt, from 1, counted over all runs of the batch. */
  readonly attempt: number;
  /** Lane in which the attempt runs, from 0. Attempts at the same time have different lanes. */
  readonly lane: number;
  /** Reason why the attempt runs. Absent if it is not known. */
  readonly reason?: AttemptReason | undefined;
  /** Keys of the configuration (for `configuration`) or paths of the files (for `inputs`) that have changed. */
  readonly changed?: readonly string[] | undefined;
  /** Model that the attempt asks for. Absent if the CLI chooses one. */
  readonly model?: string | undefined;
}

/**
 * A running step waits. The next event of the same step ends the wait. Changes that an earlier run has saved are merged
 * without a `step-started` before this event.
 */
export interface StepWaitingEvent {
  readonly type: 'step-waiting';
  /** Id of the step. */
  readonly stepId: string;
  /**
   * `queue`: for a worker of the queue. `slot`: for a slot of the pool. `merge`: its work is saved and waits for the merge.
   * `merging`: its merge is under way.
   */
  readonly waitsFor: 'queue' | 'slot' | 'merge' | 'merging';
  /** Id of the step that must be merged first, for `merge`. */
  readonly behind?: string | undefined;
}

/** The agent emitted an event in a step. */
export interface StepProgressEvent {
  readonly type: 'step-progress';
  /** Id of the step. */
  readonly stepId: string;
  /** Event of the agent. */
  readonly event: AgentEvent;
}

/** An attempt failed with a retryable error. The next attempt starts after the delay. */
export interface StepRetryEvent {
  readonly type: 'step-retry';
  /** Id of the step. */
  readonly stepId: string;
  /** Number of the failed attempt, from 1. */
  readonly attempt: number;
  /** Code of the error. */
  readonly code: ErrorCode;
  /** Message of the error. */
  readonly message: string;
  /** Milliseconds until the next attempt. */
  readonly delayMs: number;
  /** Fallback model of the next attempt. Absent if the model stays the same. */
  readonly model?: string | undefined;
}

/** A step is over for this run of the batch. `report.state` has its outcome. */
export interface StepFinishedEvent {
  readonly type: 'step-finished';
  /** Id of the step. */
  readonly stepId: string;
  /** Report of the step. */
  readonly report: StepReport;
}

/** The number of steps that may run at the same time changed, because of a rate limit or after successes. */
export interface ConcurrencyEvent {
  readonly type: 'concurrency';
  /** Steps that may run at the same time from now on. */
  readonly limit: number;
}

/** The API named a time to wait for. No step starts before it. */
export interface PausedEvent {
  readonly type: 'paused';
  /** `rate-limit`: the API has named the time. `outage`: the API or the network is down; then one step at a time tries again. */
  readonly cause: 'rate-limit' | 'outage';
  /** End of the pause, in milliseconds since 1970. */
  readonly untilMs: number;
}

/** The batch stops: no more steps are started. Running steps go on, unless the reason is `cancelled`. */
export interface StoppingEvent {
  readonly type: 'stopping';
  /** Reason of the stop. */
  readonly stop: BatchStop;
}

/** The batch reports a warning. `report.warnings` has it too. */
export interface BatchWarningEvent {
  readonly type: 'warning';
  /** The warning. */
  readonly warning: BatchWarning;
}

/** A command of `onFinish` has ended. */
export interface FinishCommandEvent {
  readonly type: 'finish-command';
  /** The command on one line. */
  readonly command: string;
  /** End of its output, without control characters. */
  readonly output: string;
  /** Why the command failed. Absent if it exited with 0. */
  readonly problem?: string | undefined;
}

/** Last event of a batch. */
export interface BatchFinishedEvent {
  readonly type: 'batch-finished';
  /** Report of the whole batch. */
  readonly report: BatchReport;
}

/** Events of a batch. A loop over `runBatch()` gets them. */
export type BatchEvent =
  | BatchStartedEvent
  | StepStartedEvent
  | StepWaitingEvent
  | StepProgressEvent
  | StepRetryEvent
  | StepFinishedEvent
  | ConcurrencyEvent
  | PausedEvent
  | StoppingEvent
  | BatchWarningEvent
  | FinishCommandEvent
  | BatchFinishedEvent;
