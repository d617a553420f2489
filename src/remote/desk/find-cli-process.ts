import { readFileSync, readlinkSync } from 'node:fs';
import { readStartTime } from '../../base/process/process-table.js';
import type { CliProcess } from '../drivers/tmux/end-cli.js';

const MOST_PARENTS = 4;
const TERMINAL = /^\/dev\/(pts\/|tty)/;

/** Process of the CLI that has started a hook, and whether a person sits in front of it. */
export interface HookProcess {
  readonly hasTerminal: boolean;
  /** Undefined where the system does not tell. */
  readonly cli: CliProcess | undefined;
}

/**
 * Finds the CLI among a process and its parents: the first one that reads from a terminal. Hooks are started by a shell that
 * the CLI has started, and their own input is a pipe. Only Linux tells; elsewhere a terminal is assumed.
 */
export function findCliProcess(pid: string | undefined): HookProcess {
  if (process.platform !== 'linux') return { hasTerminal: true, cli: undefined };
  let current = pid;
  for (let parents = 0; parents < MOST_PARENTS; parents++) {
    if (current === undefined || !/^\d+$/.test(current) || current === '1') break;
    try {
      if (TERMINAL.test(readlinkSync(`/proc/${current}/fd/0`))) {
        const found = Number(current);
        return { hasTerminal: true, cli: { pid: found, startTime: readStartTime(found) } };
      }
      current = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${current}/status`, 'utf8'))?.[1];
    } catch {
      break;
    }
  }
  return { hasTerminal: false, cli: undefined };
}
