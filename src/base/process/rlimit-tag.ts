import { createHash } from 'node:crypto';
import { execa } from 'execa';
import { OWN_SESSION } from './own-session.js';
import { readLocksLimit } from './process-table.js';

const TAG_BYTES = 6;
const PRLIMIT_TIMEOUT_MS = 2_000;

/**
 * Tags a process and all its later children by a number in RLIMIT_LOCKS. No Linux kernel since 2.4 evaluates this
 * limit, but every child inherits it: even a daemon that clears its environment, leaves its session and closes its
 * files keeps the tag. False if `prlimit` is missing or fails; the tree is then found by the other signs.
 */
export async function tagProcess(pid: number | undefined, tag: string): Promise<boolean> {
  if (pid === undefined || process.platform !== 'linux') return false;
  // An empty value after the colon keeps the hard limit.
  const { failed } = await execa('prlimit', ['--pid', String(pid), `--locks=${limitOf(tag)}:`], {
    ...OWN_SESSION,
    stdio: 'ignore',
    timeout: PRLIMIT_TIMEOUT_MS,
  });
  return !failed;
}

/** True if the process carries the tag. */
export function isTagged(pid: number, tag: string): boolean {
  return readLocksLimit(pid) === limitOf(tag);
}

function limitOf(tag: string): string {
  return String(createHash('sha256').update(tag).digest().readUIntBE(0, TAG_BYTES));
}
