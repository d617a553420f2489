import type { BatchEvent } from '../../api/batch-event.js';
import type { BatchOptions } from '../../api/batch-options.js';
import type { ExpandedPlan } from '../../api/batch-plan.js';
import type { BatchReport, BatchStop } from '../../api/batch-report.js';
import { callOnAbort } from '../../base/process/abort-listeners.js';
import { EventChannel } from './event-channel.js';
import { createObserving, type Observing } from './observing.js';
import { openBatch } from './open-batch.js';
import type { Scheduler } from './scheduler.js';

const RESUME = 'Run the same command again to continue with the remaining steps.';

/** A run of a batch: opens the batch, runs the scheduler, and passes events to the caller. */
export class BatchRun implements AsyncIterable<BatchEvent> {
  readonly #channel = new EventChannel<BatchEvent>();
  readonly #report: Promise<BatchReport>;
  readonly #stopped = new AbortController();
  #scheduler: Scheduler | undefined;
  #stop: BatchStop | undefined;

  /** The signal of `readPlan` is aborted as soon as the batch has to stop. */
  constructor(readPlan: (signal: AbortSignal) => Promise<ExpandedPlan>, options: BatchOptions) {
    this.#report = this.#run(readPlan, options);
    // A caller that only loops gets the rejection in the loop and need not handle this promise.
    this.#report.catch(() => {});
  }

  /** Starts no more steps. Running steps go on. `cause` goes into the report. */
  stop(cause?: string): void {
    const message = `The batch was stopped${describeCause(cause)}. ${RESUME}`;
    this.#end({ reason: 'interrupted', message });
  }

  /** Starts no more steps and cancels the running ones. `cause` goes into the report. */
  cancel(cause?: string): void {
    const message = `The batch was cancelled${describeCause(cause)}. ${RESUME}`;
    this.#end({ reason: 'cancelled', message });
  }

  /** Resolves when the batch is over. Rejects if the batch could not run; a failed step does not reject. */
  get report(): Promise<BatchReport> {
    return this.#report;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<BatchEvent, void> {
    yield* this.#channel;
    await this.#report;
  }

  #end(stop: BatchStop): void {
    if (this.#stop?.reason !== 'cancelled') this.#stop = stop;
    this.#stopped.abort();
    if (stop.reason === 'cancelled') this.#scheduler?.cancel(stop);
    else this.#scheduler?.stop(stop);
  }

  async #run(
    readPlan: (signal: AbortSignal) => Promise<ExpandedPlan>,
    options: BatchOptions,
  ): Promise<BatchReport> {
    const { signal } = options;
    const stopListening = signal && callOnAbort(signal, () => this.cancel());
    const observing = createObserving(options.observer);
    try {
      return await this.#runObserved(readPlan, options, observing);
    } catch (error) {
      observing.end(error);
      throw error;
    } finally {
      observing.end();
      stopListening?.();
      this.#channel.end();
    }
  }

  async #runObserved(
    readPlan: (signal: AbortSignal) => Promise<ExpandedPlan>,
    options: BatchOptions,
    observing: Observing,
  ): Promise<BatchReport> {
    const emit = (event: BatchEvent): void => {
      observing.accept(event);
      this.#channel.push(event);
    };
    const plan = await readPlan(this.#stopped.signal);
    const { signal } = this.#stopped;
    const batch = await openBatch(plan, options, { emit, observing, signal });
    try {
      this.#scheduler = batch.scheduler;
      if (this.#stop !== undefined) this.#end(this.#stop);
      batch.watchStops((kind) => {
        if (kind === 'cancel') this.cancel('by `batch stop --cancel`');
        else this.stop('by `batch stop`');
      });
      await batch.scheduler.run();
      const report = await batch.finish();
      emit({ type: 'batch-finished', report });
      return report;
    } finally {
      await batch.close();
    }
  }
}

function describeCause(cause: string | undefined): string {
  return typeof cause === 'string' && cause !== '' ? ` ${cause}` : '';
}
