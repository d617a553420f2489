import { ProviderError } from '../base/errors/provider-error.js';
import { settlesWithin } from '../base/process/timing.js';

/** A step whose events nobody takes any more cannot come to its end; its processes are gone by then. */
const CANCEL_WAIT_MS = 6_000;

export interface ActiveStep {
  /** Fires when the caller or the provider ends the step. */
  readonly signal: AbortSignal;
  end(): void;
}

/** The steps of one provider, so that disposing of it can end them. */
export class ActiveSteps {
  readonly #steps = new Map<AbortController, Promise<void>>();

  /** Any of the signals ends the step. */
  begin(...signals: readonly (AbortSignal | undefined)[]): ActiveStep {
    const given = signals.filter((signal) => signal !== undefined);
    const aborted = given.find((signal) => signal.aborted);
    if (aborted !== undefined) {
      throw new ProviderError({
        code: 'CANCELLED',
        message: 'The call was cancelled before it began',
        cause: aborted.reason,
      });
    }
    const controller = new AbortController();
    const forget: (() => void)[] = [];
    for (const signal of given) {
      const abort = (): void => controller.abort(signal.reason);
      // Not by a `signal` of its own: of several on one target, Node loses all but the last to the collector.
      signal.addEventListener('abort', abort, { once: true });
      forget.push(() => signal.removeEventListener('abort', abort));
    }
    let resolve = (): void => {};
    this.#steps.set(controller, new Promise((done) => (resolve = done)));
    return {
      signal: controller.signal,
      end: () => {
        for (const act of forget) act();
        this.#steps.delete(controller);
        resolve();
      },
    };
  }

  async cancelAll(): Promise<void> {
    const ends = [...this.#steps.values()];
    for (const controller of this.#steps.keys()) controller.abort();
    await settlesWithin(Promise.all(ends), CANCEL_WAIT_MS);
  }
}
