import type { ProcessExit } from '../../base/process/process-exit.js';
import { readCpuMs } from '../../base/process/process-table.js';
import { settlesWithin } from '../../base/process/timing.js';
import type { StepStopReason } from '../verdict/verdict.js';
import type { AgentProcess } from './agent-process.js';
import type { PoolSlot } from './pool-slot.js';
import type { SessionHandle } from './session-handle.js';
import type { TurnListener } from './turn-listener.js';

/** Time that an agent has to end a cancelled turn before its process is ended. */
const CANCEL_MS = 3_000;
/** How often that time is given to a busy agent with further steps, which would fail with it. */
const BUSY_ROUNDS = 3;
/** CPU time within CANCEL_MS from which on a process is busy. One that ignores a cancel waits, and uses next to none. */
const BUSY_CPU_MS = 100;
/** Time that a process has to exit after it closed its stdout. */
const EXIT_MS = 1_000;

interface CancelledSlot extends Pick<PoolSlot, 'isShared' | 'retire' | 'discard'> {
  readonly process: Pick<AgentProcess, 'pid' | 'isReady'>;
}

/** Parts of a turn that is to be cancelled. A turn without a listener has not reached its prompt. */
interface CancelledTurn {
  readonly slot: CancelledSlot;
  readonly session: Pick<SessionHandle, 'cancel'> | undefined;
  readonly listener: Pick<TurnListener, 'cancel'> | undefined;
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
  readCpu = readCpuMs,
): Promise<void> {
  listener?.cancel();
  session?.cancel();
  const isPrompted = listener !== undefined;
  const hasEnded = isPrompted && (await endsInTime(prompting, slot, readCpu));
  if (hasEnded) return;
  // End a process that ignores the cancel, or that is still starting without another step that waits for it.
  // A session that opens after a cancel does no harm. A session that did not open in time may never open, so
  // the process takes no further steps.
  const isUseful = slot.process.isReady || slot.isShared();
  if (isPrompted || !isUseful) await slot.discard();
  else if (reason?.kind === 'timeout') slot.retire();
}

/**
 * True if the turn ends in time. A process with many steps on a loaded machine has not read the cancel yet while it is
 * busy: such a process gets more time, because its end would fail the other steps.
 */
async function endsInTime(
  prompting: Promise<unknown>,
  slot: CancelledSlot,
  readCpu: typeof readCpuMs,
): Promise<boolean> {
  const cpuMs = (): number => readCpu(slot.process.pid ?? 0) ?? 0;
  for (let round = 1; ; round++) {
    const before = cpuMs();
    if (await settlesWithin(prompting, CANCEL_MS)) return true;
    const isBusy = slot.isShared() && cpuMs() - before >= BUSY_CPU_MS;
    if (!isBusy || round === BUSY_ROUNDS) return false;
  }
}
