import { execa } from 'execa';
import { OWN_SESSION } from './own-session.js';
import { isInKernel, isSameProcess, type ProcessIdentity } from './process-table.js';
import { sleep } from './timing.js';

/** Time between SIGTERM and SIGKILL. The CLI closes its session file in about 30 ms; a cancel must not take longer. */
const TERM_GRACE_MS = 2_000;
const KILL_WAIT_MS = 3_000;
const POLL_MS = 25;
/** Time after which a tree that hangs in the kernel is not waited for: no signal reaches its processes. */
const STUCK_MS = 300;

/** A process tree whose living members can be looked up at any time. */
export interface KillableTree {
  readonly rootPid: number | undefined;
  living(): readonly ProcessIdentity[];
  /** Kills all processes in one system call, if the system can do that. */
  killAtOnce?(): void;
}

/**
 * Ends every process of a tree: sends SIGTERM, waits, sends SIGKILL, waits; both waits are bounded, and short for
 * processes that hang in the kernel, for example on a network file system whose server is gone. The members are
 * looked up again at every poll, because a dying shell can leave new orphans. Returns the pids that are still alive.
 */
export async function killProcessTree(tree: KillableTree): Promise<number[]> {
  if (process.platform === 'win32') return killWindowsTree(tree.rootPid);
  await signalUntilGone(tree, 'SIGTERM', TERM_GRACE_MS);
  return signalUntilGone(tree, 'SIGKILL', KILL_WAIT_MS);
}

async function signalUntilGone(
  tree: KillableTree,
  signal: 'SIGTERM' | 'SIGKILL',
  limitMs: number,
): Promise<number[]> {
  const signalled = new Set<number>();
  const deadline = performance.now() + limitMs;
  let movedAtMs = performance.now();
  for (;;) {
    const living = tree.living();
    if (living.length === 0) return [];
    if (signal === 'SIGKILL') tree.killAtOnce?.();
    for (const member of living) {
      if (signal === 'SIGKILL' || !signalled.has(member.pid)) sendSignal(member, signal);
      signalled.add(member.pid);
    }
    const nowMs = performance.now();
    if (!living.every(({ pid }) => isInKernel(pid))) movedAtMs = nowMs;
    if (nowMs >= Math.min(deadline, movedAtMs + STUCK_MS)) return living.map(({ pid }) => pid);
    await sleep(POLL_MS);
  }
}

/** Sends a signal unless the process has ended: its pid may belong to another process by now. */
function sendSignal(member: ProcessIdentity, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (isSameProcess(member)) process.kill(member.pid, signal);
  } catch {
    // The process ended before the signal (ESRCH), or belongs to another user (EPERM).
  }
}

/** Ends a tree with `taskkill /T`, because Windows has neither signals nor process groups. */
async function killWindowsTree(rootPid: number | undefined): Promise<number[]> {
  if (rootPid === undefined) return [];
  const args = ['/pid', String(rootPid), '/T', '/F'];
  await execa('taskkill', args, { ...OWN_SESSION, stdio: 'ignore', timeout: KILL_WAIT_MS });
  return [];
}
