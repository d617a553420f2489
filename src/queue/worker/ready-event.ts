import type { OpenStore } from '../store/open-store.js';
import type { WorkerReadyEvent } from './step-worker-event.js';
import type { WorkerSettings } from './worker-settings.js';

/** Describes a worker that takes jobs, for its log and its caller. */
export function createReadyEvent(settings: WorkerSettings, store: OpenStore): WorkerReadyEvent {
  const { workerName: worker, labels, concurrency, ceiling: allow, connection } = settings;
  const notes = [...store.notes, ...settings.notes];
  const isSigned = connection.secret !== undefined;
  const place = { url: store.address.shown, queue: store.name };
  return { type: 'ready', worker, ...place, labels, concurrency, isSigned, allow, notes };
}
