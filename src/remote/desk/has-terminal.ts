import { readFileSync, readlinkSync } from 'node:fs';

const MOST_PARENTS = 4;
const TERMINAL = /^\/dev\/(pts\/|tty)/;

/**
 * True if a process or one of its parents reads from a terminal. Hooks of the CLI are started by a shell that the CLI has
 * started, so the CLI is some processes above. Only Linux tells; elsewhere a terminal is assumed.
 */
export function hasTerminal(pid: string | undefined): boolean {
  if (process.platform !== 'linux') return true;
  let current = pid;
  for (let parents = 0; parents < MOST_PARENTS; parents++) {
    if (current === undefined || !/^\d+$/.test(current) || current === '1') return false;
    try {
      if (TERMINAL.test(readlinkSync(`/proc/${current}/fd/0`))) return true;
      current = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${current}/status`, 'utf8'))?.[1];
    } catch {
      return false;
    }
  }
  return false;
}
