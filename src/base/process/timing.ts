import { setTimeout as delay } from 'node:timers/promises';
import pTimeout from 'p-timeout';

export function sleep(ms: number): Promise<void> {
  return delay(ms);
}

/** Sleeps until the time is over or the signal is aborted. */
export async function sleepUnless(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await delay(ms, undefined, { signal }).catch(() => {});
}

/** Waits for a promise until the time is over or the signal is aborted. True if the promise settled before that. */
export async function settlesWithin(
  promise: Promise<unknown>,
  ms: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const settled = promise.then(
    () => true,
    () => true,
  );
  const limits = { milliseconds: ms, fallback: () => false, ...(signal && { signal }) };
  return pTimeout(settled, limits).catch(() => false);
}

/** Returns the result of the promise. Rejects with the reason of the signal if the abort comes first. */
export async function unlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return promise;
  // The result is not awaited after an abort, and a later rejection would be unhandled.
  promise.catch(() => {});
  signal.throwIfAborted();
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Returns the result of a function. Undefined if the function fails or takes longer than the time. */
export async function answersWithin<T>(ask: () => Promise<T>, ms: number): Promise<T | undefined> {
  return pTimeout(
    ask().catch(() => undefined),
    { milliseconds: ms, fallback: () => undefined },
  );
}
