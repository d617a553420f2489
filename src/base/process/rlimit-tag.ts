import { createHash } from 'node:crypto';
import { execa } from 'execa';
import { readLocksLimit } from './process-table.js';

const MARK_BYTES = 6;
const PRLIMIT_TIMEOUT_MS = 2_000;

/**
 * Marks a process, and with it everything that it will start, by a number in its limit of file locks. No kernel
 * since 2.4 looks at that limit, but every child inherits it: a daemon that cleans its environment, leaves its
 * session and closes its files still has it. False where there is no `prlimit`: the other signs have to do.
 */
export async function tagProcess(pid: number | undefined, tag: string): Promise<boolean> {
  if (pid === undefined || process.platform !== 'linux') return false;
  // With nothing behind the colon the hard limit stays as it is.
  const { failed } = await execa('prlimit', ['--pid', String(pid), `--locks=${markOf(tag)}:`], {
    stdio: 'ignore',
    reject: false,
    cleanup: false,
    timeout: PRLIMIT_TIMEOUT_MS,
  });
  return !failed;
}

export function isTagged(pid: number, tag: string): boolean {
  return readLocksLimit(pid) === markOf(tag);
}

function markOf(tag: string): string {
  return String(createHash('sha256').update(tag).digest().readUIntBE(0, MARK_BYTES));
}
