export type {
  BatchEvent,
  BatchFinishedEvent,
  BatchStartedEvent,
  BatchWarningEvent,
  ConcurrencyEvent,
  FinishCommandEvent,
  PausedEvent,
  StepFinishedEvent,
  StepProgressEvent,
  StepRetryEvent,
  StepStartedEvent,
  StepWaitingEvent,
  StoppingEvent,
} from '../api/batch-event.js';
export type { BatchLimits } from '../api/batch-limits.js';
export type { BatchObserver } from '../api/batch-observer.js';
export type { BatchOptions, StepSelection } from '../api/batch-options.js';
export type {
  BatchPlan,
  ExpandedPlan,
  Isolation,
  PlanDefaults,
  PlannedStep,
  PlanStep,
  PlanVariable,
  StepSettings,
} from '../api/batch-plan.js';
export type {
  BatchEnvironment,
  BatchFile,
  BatchReport,
  BatchRunReport,
  BatchStop,
  BatchWarning,
  StopReason,
} from '../api/batch-report.js';
export type { FinishSettings } from '../api/finish-settings.js';
export type { PlanProblem } from '../api/plan-problem.js';
export type { ElementNeed, StepNeed } from '../api/step-need.js';
export type {
  AttemptReason,
  AttemptReport,
  StepReport,
  StepSkip,
  StepState,
} from '../api/step-report.js';
export { readPlan } from './plan/read-plan.js';
export { type RunningBatch, runBatch } from './run/run-batch.js';
