import { ProviderError } from '../base/errors/provider-error.js';
import { callOnAbort } from '../base/process/abort-listeners.js';
import { settlesWithin } from '../base/process/timing.js';

/**
 * Longest wait for cancelled steps. A step whose caller no longer reads its events never ends; its processes are gone
 * by then.
 */
const CANCEL_WAIT_MS = 6_000;

export interface ActiveStep {
  /** Aborted when the caller or the provider cancels the step. */
  readonly signal: AbortSignal;
  /** Removes the step from the list and its listeners from the signals. */
  end(): void;
}

/** Running steps of one provider. `dispose()` cancels them. */
export class ActiveSteps {
  readonly #steps = new Map<AbortController, Promise<void>>();
  #isDisposed = false;

  /** Throws INVALID_INPUT after `dispose()`: a step would start processes that no call ends. */
  assertOpen(): void {
    if (!this.#isDisposed) return;
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: 'The provider has been disposed of',
      hint: 'Create a new provider, or call dispose() after the last step.',
    });
  }

  /**
   * Adds a step that each of the signals cancels. Throws CANCELLED if one is already aborted, and INVALID_INPUT after
   * `dispose()`.
   */
  begin(...signals: readonly (AbortSignal | undefined)[]): ActiveStep {
    this.assertOpen();
    const given = signals.filter((signal) => signal !== undefined);
    const aborted = given.find((signal) => signal.aborted);
    if (aborted !== undefined) {
      throw new ProviderError({
        code: 'CANCELLED',
        message: 'The step was cancelled before it started',
        cause: aborted.reason,
      });
    }
    const controller = new AbortController();
    const removeListeners: (() => void)[] = [];
    for (const signal of given) {
      // The listener is removed by hand, not by a `signal` option: of several such signals on one target, Node lets
      // the garbage collector take all but the last.
      removeListeners.push(callOnAbort(signal, () => controller.abort(signal.reason)));
    }
    let resolve = (): void => {};
    this.#steps.set(controller, new Promise((done) => (resolve = done)));
    return {
      signal: controller.signal,
      end: () => {
        for (const remove of removeListeners) remove();
        this.#steps.delete(controller);
        resolve();
      },
    };
  }

  /** Refuses further steps, cancels all steps and waits for their end, at most CANCEL_WAIT_MS. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    const ends = [...this.#steps.values()];
    for (const controller of this.#steps.keys()) controller.abort();
    await settlesWithin(Promise.all(ends), CANCEL_WAIT_MS);
  }
}
