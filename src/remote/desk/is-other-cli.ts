import { isProcessAlive, isStopped } from '../../base/process/process-table.js';
import type { CliProcess } from '../drivers/tmux/end-cli.js';

/**
 * True if a hook comes from another CLI than the one that leads a session, while that one still works: for example from a CLI that a
 * program in the same pane runs. A CLI that was stopped (Ctrl-Z) has left its pane to the next one.
 */
export function isOtherCli(known: CliProcess | undefined, cli: CliProcess | undefined): boolean {
  if (known === undefined || cli === undefined) return false;
  const isSame = known.pid === cli.pid && (known.startTime ?? cli.startTime) === cli.startTime;
  return !isSame && isProcessAlive(known.pid, known.startTime) && !isStopped(known.pid);
}
