import type { ProcessExit } from '../../base/process/spawn-with-files.js';
import { settlesWithin } from '../../base/process/timing.js';
import type { StepStopReason } from '../verdict/verdict.js';
import type { PoolSlot } from './pool-slot.js';
import type { SessionHandle } from './session-handle.js';
import type { TurnListener } from './turn-listener.js';

/** Time that an agent has to end a cancelled turn before its process is ended. */
const CANCEL_MS = 3_000;
/** Time that a process has to exit after it closed its stdout. */
const EXIT_MS = 1_000;

/** Parts of a turn that is to be cancelled. A turn without a listener has not reached its prompt. */
interface CancelledTurn {
  readonly slot: PoolSlot;
  readonly session: SessionHandle | undefined;
  readonly listener: TurnListener | undefined;
  readonly reason: StepStopReason | undefined;
}

/** Waits for the exit of a process that closed its stdout, and ends the process if it does not exit by itself. */
export async function awaitExit(slot: PoolSlot): Promise<ProcessExit> {
  const { exited } = slot.process;
  if (!(await settlesWithin(exited, EXIT_MS))) await slot.discard();
  return exited;
}

/** Cancels open permission requests, then the turn. Ends the process if the agent does not react. */
export async function cancelPrompt(
  prompting: Promise<unknown>,
  { slot, session, listener, reason }: CancelledTurn,
): Promise<void> {
  listener?.cancel();
  session?.cancel();
  const isPrompted = listener !== undefined;
  const hasEnded = isPrompted && (await settlesWithin(prompting, CANCEL_MS));
  if (hasEnded) return;
  // End a process that ignores the cancel, or that is still starting without another step that waits for it.
  // A session that opens after a cancel does no harm. A session that did not open in time may never open, so
  // the process takes no further steps.
  const isUseful = slot.process.isReady || slot.isShared();
  if (isPrompted || !isUseful) await slot.discard();
  else if (reason?.kind === 'timeout') slot.retire();
}
