import { hostname } from 'node:os';
import { z } from 'zod';
import { isProcessAlive, readStartTime } from '../../base/process/process-table.js';

const owner = z.object({
  pid: z.number(),
  host: z.string(),
  startedAt: z.string(),
  /** Start time of the process. Distinguishes it from a later process with the same pid. */
  processStart: z.number().optional(),
});
export type LockOwner = z.infer<typeof owner>;

/** Returns the content of a lock that this process owns. */
export function describeOwner(): string {
  return JSON.stringify({
    pid: process.pid,
    host: hostname(),
    startedAt: new Date().toISOString(),
    processStart: readStartTime(process.pid),
  });
}

export function parseOwner(text: string): LockOwner | undefined {
  try {
    return owner.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** True if the owner runs. A process on another machine cannot be checked and counts as running. */
export function isAlive({ pid, host, processStart }: LockOwner): boolean {
  if (host !== hostname()) return true;
  return isProcessAlive(pid, processStart);
}
