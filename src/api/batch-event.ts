import type { AgentEvent } from './agent-event.js';
import type { BatchReport, BatchStop, BatchWarning, StepReport } from './batch-report.js';
import type { ErrorCode } from './error.js';

export interface BatchStartedEvent {
  readonly type: 'batch-started';
  readonly name: string;
  readonly planHash: string;
  readonly steps: readonly string[];
  /** False where an earlier run of the same batch has left something to go on with. */
  readonly isFresh: boolean;
}

export interface StepStartedEvent {
  readonly type: 'step-started';
  readonly stepId: string;
  readonly attempt: number;
  readonly lane: number;
}

/** What the agent does in a step. */
export interface StepProgressEvent {
  readonly type: 'step-progress';
  readonly stepId: string;
  readonly event: AgentEvent;
}

/** An attempt failed in a way that may pass; the next one comes after the delay. */
export interface StepRetryEvent {
  readonly type: 'step-retry';
  readonly stepId: string;
  readonly attempt: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly delayMs: number;
}

/** The step is over for this run of the batch, one way or another. */
export interface StepFinishedEvent {
  readonly type: 'step-finished';
  readonly stepId: string;
  readonly report: StepReport;
}

/** How many steps may run at the same time from now on. */
export interface ConcurrencyEvent {
  readonly type: 'concurrency';
  readonly limit: number;
}

/** No step is started before then, because the API has named a time. */
export interface PausedEvent {
  readonly type: 'paused';
  readonly untilMs: number;
}

/** No more steps are started; those at work go on. */
export interface StoppingEvent {
  readonly type: 'stopping';
  readonly stop: BatchStop;
}

export interface BatchWarningEvent {
  readonly type: 'warning';
  readonly warning: BatchWarning;
}

/** Always the last event. */
export interface BatchFinishedEvent {
  readonly type: 'batch-finished';
  readonly report: BatchReport;
}

export type BatchEvent =
  | BatchStartedEvent
  | StepStartedEvent
  | StepProgressEvent
  | StepRetryEvent
  | StepFinishedEvent
  | ConcurrencyEvent
  | PausedEvent
  | StoppingEvent
  | BatchWarningEvent
  | BatchFinishedEvent;
