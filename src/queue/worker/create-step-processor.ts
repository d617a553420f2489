import type { ResponseProvider } from '../../api/response-provider.js';
import { invalidInput, readInput } from '../../base/errors/invalid-input.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { openStore } from '../store/open-store.js';
import { assertSecret } from './assert-secret.js';
import { JobProcessing } from './process-job.js';
import type { StepProcessorOptions } from './step-worker-options.js';
import { isProvider, parseProcessorSettings } from './worker-settings.js';

/** The part of BullMQ's `Job` by which the processor finds the job in the store. */
export interface ProcessedJob {
  /** Id of the job. */
  readonly id?: string | undefined;
  /** Name of the queue that the job belongs to. */
  readonly queueName: string;
}

/** Function that BullMQ's `Worker` takes as its processor. */
export type StepProcessor = (
  job: ProcessedJob,
  token?: string,
  signal?: AbortSignal,
) => Promise<unknown>;

/**
 * Creates the bare processor for a `Worker` of BullMQ that the caller makes and ends. The processor opens a connection of
 * its own at the first job. Heartbeats, labels and the watch over locks are those of `createStepWorker` alone.
 */
export function createStepProcessor(
  provider: ResponseProvider,
  options: StepProcessorOptions = {},
): StepProcessor {
  if (!readInput('provider', () => isProvider(provider)))
    throw invalidInput('provider', 'a provider', provider);
  const settings = parseProcessorSettings(options);
  assertSecret(settings.connection);
  let opening: Promise<JobProcessing> | undefined;
  const open = async (): Promise<JobProcessing> => {
    const store = await openStore(settings.connection);
    return new JobProcessing({ store, settings, provider, onEvent: () => {} });
  };
  return async (given, token, signal) => {
    opening ??= open();
    const processing = await opening.catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    const job = await processing.find(given.queueName, given.id ?? '');
    if (job !== undefined) return processing.process(job, token, signal);
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `The queue ${given.queueName} has no job ${given.id}`,
      hint: 'Give the processor the same store as the worker of BullMQ.',
    });
  };
}
