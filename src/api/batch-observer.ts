import type { BatchEvent } from './batch-event.js';
import type { ContextKeys, ResponseProvider } from './response-provider.js';

/**
 * Observer of a batch, such as the one of `traceBatch`. Its functions are called at the moment when something happens. What
 * they throw is ignored: an observer cannot fail a batch.
 */
export interface BatchObserver {
  /** Gets every event of the batch, before loops over the batch get the event. */
  onEvent(event: BatchEvent): void;
  /**
   * Returns keys for the context of the attempt that the last `step-started` of this step has announced.
   *
   * @defaultValue no keys
   */
  contextOf?(stepId: string): Pick<ContextKeys, 'traceparent'> | undefined;
  /**
   * Returns the provider that runs the steps, wrapped or as it is.
   *
   * @defaultValue the provider as it is
   */
  wrap?(provider: ResponseProvider): ResponseProvider;
  /**
   * Called once when the batch is over, with the error of a batch that could not run.
   *
   * @defaultValue nothing is called
   */
  onEnd?(error?: unknown): void;
}
