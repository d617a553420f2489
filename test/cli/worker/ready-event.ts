import type { WorkerReadyEvent } from '../../../src/queue/worker/step-worker-event.js';

/** What a worker tells when it is connected. */
export const READY: WorkerReadyEvent = {
  type: 'ready',
  worker: 'w',
  url: 'redis://h',
  queue: 'q',
  labels: [],
  concurrency: 2,
  isSigned: true,
  allow: {
    approvalMode: 'auto_edit',
    allowedTools: [],
    weakerProtection: false,
    commands: true,
  },
  notes: [],
};
