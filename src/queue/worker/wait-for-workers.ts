import { settlesWithin } from '../../base/process/timing.js';

const POLL_MS = 100;

interface WorkersEnd {
  /** Longest wait in milliseconds. */
  readonly limitMs: number;
  readonly countRunning: () => number;
  /** Longest wait for the store when no step runs. */
  readonly storeMs: () => number;
}

/**
 * Waits until BullMQ has ended. BullMQ waits for a store that is gone for ever, so that a worker without steps, or one whose
 * limit is over, leaves a little later: other workers take its jobs over.
 */
export async function waitForWorkers(
  closing: Promise<void>,
  { limitMs, countRunning, storeMs }: WorkersEnd,
): Promise<void> {
  const lastMs = performance.now() + limitMs;
  let idleSinceMs = performance.now();
  while (!(await settlesWithin(closing, POLL_MS))) {
    const nowMs = performance.now();
    if (countRunning() > 0) idleSinceMs = nowMs;
    if (nowMs > lastMs || nowMs > idleSinceMs + storeMs()) return;
  }
}
