import { ProviderError } from '../../base/errors/provider-error.js';
import { sleepUnless, unlessAborted } from '../../base/process/timing.js';
import { renderDuration } from '../../base/text/parse-duration.js';
import type { OnConnection } from './queue-store.js';

/** Wait before the store is asked again, at first and at most. */
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [100, 2_000];

export interface StoreWait {
  /** Longest time for a store that cannot be reached. */
  readonly limitMs: number;
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** Told once that the store is away, and once that it is there. */
  readonly onConnection: OnConnection;
}

/**
 * Opens a store that may be away at the moment: a caller or worker that starts while the network is cut waits, as one that
 * runs already does. Throws NETWORK when the limit is over, and every other error at once: wrong credentials stay wrong.
 */
export async function waitForStore<T>(
  open: () => Promise<T>,
  { limitMs, signal, onConnection }: StoreWait,
): Promise<T> {
  const lastMs = performance.now() + limitMs;
  let isAway = false;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      const opened = await unlessAborted(open(), signal);
      if (isAway) onConnection(true, 'The store answers');
      return opened;
    } catch (error) {
      const isOver = signal.aborted || performance.now() + waitMs > lastMs;
      if (isOver || !ProviderError.isInstance(error) || error.code !== 'NETWORK') throw error;
      if (!isAway)
        onConnection(
          false,
          `${error.message} (the wait ends after ${renderDuration(limitMs / 1_000)})`,
        );
      isAway = true;
    }
    await sleepUnless(waitMs, signal);
  }
}
