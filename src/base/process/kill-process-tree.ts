import { execa } from 'execa';
import type { ProcessIdentity } from './process-table.js';
import { sleep } from './timing.js';

/** Long enough for the CLI to close its session file (30 ms as a rule), short enough for a cancel. */
const TERM_GRACE_MS = 2_000;
const KILL_WAIT_MS = 3_000;
const POLL_MS = 25;

/** Processes that belong together and that can be looked up again. */
export interface KillableTree {
  readonly rootPid: number | undefined;
  living(): readonly ProcessIdentity[];
}

/**
 * Ends every process of a run: asks, waits, forces, each step bounded. The family is looked up again at
 * every step, because a dying shell can leave new orphans. Gives the pids that outlived even that.
 */
export async function killProcessTree(family: KillableTree): Promise<number[]> {
  if (process.platform === 'win32') return killWindowsTree(family.rootPid);
  await signalUntilGone(family, 'SIGTERM', TERM_GRACE_MS);
  return signalUntilGone(family, 'SIGKILL', KILL_WAIT_MS);
}

async function signalUntilGone(
  family: KillableTree,
  signal: 'SIGTERM' | 'SIGKILL',
  limitMs: number,
): Promise<number[]> {
  const signalled = new Set<number>();
  const deadline = Date.now() + limitMs;
  for (;;) {
    const living = family.living();
    if (living.length === 0) return [];
    for (const { pid } of living) {
      if (signal === 'SIGKILL' || !signalled.has(pid)) sendSignal(pid, signal);
      signalled.add(pid);
    }
    if (Date.now() >= deadline) return living.map(({ pid }) => pid);
    await sleep(POLL_MS);
  }
}

function sendSignal(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone between the look and the signal, or not ours to end.
  }
}

/** Windows has neither signals nor process groups, but a command that walks the tree. */
async function killWindowsTree(rootPid: number | undefined): Promise<number[]> {
  if (rootPid === undefined) return [];
  const args = ['/pid', String(rootPid), '/T', '/F'];
  await execa('taskkill', args, { reject: false, stdio: 'ignore', timeout: KILL_WAIT_MS });
  return [];
}
