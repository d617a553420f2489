import type { ProviderError } from '../../base/errors/provider-error.js';
import { findEndingSignal } from '../../base/process/own-session.js';
import { sleep } from '../../base/process/timing.js';

/** Time for the signal that has ended a helper process to reach this process, too. */
const SIGNAL_GRACE_MS = 300;

/** True if an attempt with this error may have been cancelled. Synchronous: other failures must stop the batch at once. */
export function mayBeCancelled(error: ProviderError): boolean {
  if (error.code === 'CANCELLED' || findEndingSignal(error) !== undefined) return true;
  return error.missing?.some(({ signal }) => signal !== undefined) === true;
}

/**
 * True if a failed attempt of that kind counts as cancelled: the batch was cancelled, or the batch is stopping and a process of the attempt
 * was ended by a signal from outside. Supervisors and shutdowns send their signal to all processes of a job at once, so the helper
 * may die before this process learns that the batch has to stop.
 */
export async function isCancelled(
  error: ProviderError,
  cancel: AbortSignal,
  isStopping: () => boolean,
): Promise<boolean> {
  if (error.code === 'CANCELLED') return cancel.aborted;
  if (!isStopping()) await sleep(SIGNAL_GRACE_MS);
  return isStopping();
}
