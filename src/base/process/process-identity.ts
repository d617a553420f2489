import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isProcessAlive, readStartTime } from './process-table.js';

/** Facts by which another process can tell whether this one has died. */
export interface ProcessFacts {
  /** Random id of the process. */
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  /** Start time of the process. Distinguishes it from a later process with the same pid. */
  readonly startTime?: number | undefined;
  /** Id of the boot of the kernel. Linux only. */
  readonly boot?: string | undefined;
  /** Namespace in which the pid counts. Linux only. */
  readonly pidNamespace?: string | undefined;
}

let own: ProcessFacts | undefined;

/** Returns the facts of this process. */
export function describeProcess(): ProcessFacts {
  own ??= {
    id: randomUUID(),
    pid: process.pid,
    host: hostname(),
    startTime: readStartTime(process.pid),
    boot: tryRead(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    pidNamespace: tryRead(() => readlinkSync('/proc/self/ns/pid')),
  };
  return own;
}

/**
 * True if the process is known to have ended. A pid says nothing in another PID namespace or on another machine: there
 * the answer is false. On Linux, boot and namespace must be the same; elsewhere the name of the machine.
 */
export function isKnownDead(facts: ProcessFacts): boolean {
  return isInSameTable(facts) && !isProcessAlive(facts.pid, facts.startTime);
}

/** True if the process is known to be alive. False if it has ended, or if the pid says nothing here. */
export function isKnownAlive(facts: ProcessFacts): boolean {
  return isInSameTable(facts) && isProcessAlive(facts.pid, facts.startTime);
}

function isInSameTable(facts: ProcessFacts): boolean {
  const here = describeProcess();
  return process.platform === 'linux'
    ? here.boot !== undefined &&
        here.pidNamespace !== undefined &&
        facts.boot === here.boot &&
        facts.pidNamespace === here.pidNamespace &&
        facts.startTime !== undefined
    : facts.host === here.host;
}

function tryRead(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
