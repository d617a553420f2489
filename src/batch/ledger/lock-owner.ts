import { hostname } from 'node:os';
import { z } from 'zod';
import { isProcessAlive, readStartTime } from '../../base/process/process-table.js';

const owner = z.object({
  pid: z.number(),
  host: z.string(),
  startedAt: z.string(),
  /** Tells a process from a later one with the same number. */
  processStart: z.number().optional(),
});
export type LockOwner = z.infer<typeof owner>;

/** This process, as it stands in a lock. */
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

/** One on another machine cannot be asked, so it is taken for alive. */
export function isAlive({ pid, host, processStart }: LockOwner): boolean {
  if (host !== hostname()) return true;
  return isProcessAlive(pid, processStart);
}
