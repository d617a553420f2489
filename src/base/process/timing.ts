import { setTimeout as delay } from 'node:timers/promises';
import pTimeout from 'p-timeout';

export function sleep(ms: number): Promise<void> {
  return delay(ms);
}

/** Sleeps, but not longer than until the signal. */
export async function sleepUnless(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await delay(ms, undefined, { signal }).catch(() => {});
}

/** Waits for a promise, but no longer than this, nor beyond an abort; true where it was settled in time. */
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

/** The promise, or a rejection with the reason of the signal, whichever comes first. */
export async function unlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return promise;
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

/** What a function gives, or undefined where it fails or takes longer than this. */
export async function answersWithin<T>(ask: () => Promise<T>, ms: number): Promise<T | undefined> {
  return pTimeout(
    ask().catch(() => undefined),
    { milliseconds: ms, fallback: () => undefined },
  );
}
