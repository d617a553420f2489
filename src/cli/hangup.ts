import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Environment } from '../base/process/environment.js';

/** Bit of SIGHUP in the masks of signals in `/proc`. */
const HANGUP_BIT = 1n;
/** Access mode of an open file in `/proc/self/fdinfo`, in octal: write only. */
const WRITE_ONLY = '1';

/**
 * True if the command was started to outlive its terminal: by nohup, or by a shell that ignores SIGHUP. Node sets all signals to
 * their defaults when it starts, so that the process itself no longer knows, and `nohup node` would end with the terminal.
 */
export function isHangupIgnored(env: Environment, readFile = readText): boolean {
  // Shells name the program that they start in this variable.
  if (basename(env['_'] ?? '') === 'nohup') return true;
  // GNU nohup gives its command a stdin that can only be written.
  const flags = /^flags:\s*([0-7]+)$/m.exec(readFile('/proc/self/fdinfo/0'))?.[1];
  if (flags?.at(-1) === WRITE_ONLY) return true;
  const status = readFile(`/proc/${process.ppid}/status`);
  const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(status)?.[1];
  // A parent that ignores SIGHUP hands that down to its children. Pid 1 of a container ignores signals for other reasons.
  return process.ppid > 1 && ignored !== undefined && (BigInt(`0x${ignored}`) & HANGUP_BIT) !== 0n;
}

/** Reads a file of `/proc`. Other systems have none. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
