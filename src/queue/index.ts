export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './embedded/start-embedded-postgres.js';
export type {
  JobCounts,
  JobHandle,
  JobInfo,
  JobState,
  QueuePause,
  QueueStatus,
  WorkerInfo,
} from './job-info.js';
export type { Ceiling } from './protocol/ceiling.js';
export type { TravellingKey } from './protocol/travelling-options.js';
export { QueuedProvider } from './provider/queued-provider.js';
export type {
  QueuedOptions,
  QueuedProviderOptions,
  QueuedWorkspace,
  RetentionSettings,
} from './provider/queued-provider-options.js';
export type { QueueConnection } from './queue-connection.js';
export type { ShipLimits } from './ship-limits.js';
export { StepQueue } from './step-queue.js';
export type {
  JobCleanOptions,
  JobListOptions,
  JobResultOptions,
  StepQueueOptions,
} from './step-queue-options.js';
export type { BlobStore } from './store/blob-store.js';
export {
  createStepProcessor,
  type ProcessedJob,
  type StepProcessor,
} from './worker/create-step-processor.js';
export { createStepWorker, type StepWorker } from './worker/create-step-worker.js';
export type { ShippingOptions } from './worker/shipping-options.js';
export type {
  AdmissionStoppedEvent,
  JobFinishedEvent,
  JobStartedEvent,
  QueuePausedEvent,
  StepWorkerEvent,
  StoreConnectionEvent,
  StoreProblemEvent,
  WorkerClosedEvent,
  WorkerDrainingEvent,
  WorkerReadyEvent,
} from './worker/step-worker-event.js';
export type {
  AllowedSettings,
  CloseOptions,
  StepProcessorOptions,
  StepWorkerOptions,
} from './worker/step-worker-options.js';
