import { readFileSync } from 'node:fs';

const KIB_PER_MB = 1024;

/** Resident memory of a process in MB; undefined where the system does not tell as cheaply as Linux. */
export function readMemoryMb(pid: number): number | undefined {
  try {
    const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return kib === undefined ? undefined : Number(kib) / KIB_PER_MB;
  } catch {
    return undefined;
  }
}
