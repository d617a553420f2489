import type { WorkerInfo } from '../job-info.js';
import { parseCloseOptions } from './close-options.js';
import { RunningWorker } from './running-worker.js';
import type { CloseOptions, StepWorkerOptions } from './step-worker-options.js';
import { parseWorkerSettings } from './worker-settings.js';

/** A running worker. */
export interface StepWorker {
  /** Name of the worker. */
  readonly name: string;
  /** Resolves when the worker has ended. */
  readonly closed: Promise<void>;
  /** Returns what the worker is and does, as its heartbeat describes it. */
  stats(): WorkerInfo;
  /** Ends the worker. Jobs of steps that do not finish go back to the queue, and use up no attempt. */
  close(options?: CloseOptions): Promise<void>;
  /** Same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a worker in this process: takes steps from the queue and runs them with the provider. Throws a `ProviderError` if
 * the options are wrong or the store cannot be reached.
 */
export async function createStepWorker(options: StepWorkerOptions): Promise<StepWorker> {
  const worker = await RunningWorker.start(parseWorkerSettings(options));
  const close = (given: CloseOptions = {}): Promise<void> => {
    const { isDraining, limitMs } = parseCloseOptions(given);
    return worker.close(isDraining, limitMs);
  };
  return {
    name: worker.name,
    closed: worker.closed,
    stats: () => worker.describe(),
    close: async (given) => close(given),
    [Symbol.asyncDispose]: () => close(),
  };
}
