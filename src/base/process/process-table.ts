import { readdirSync, readFileSync } from 'node:fs';
import { execaSync } from 'execa';

const KIB_PER_MB = 1024;

/** A process that can be told from a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in whatever unit the system counts; equal for the same process. */
  readonly startTime: string;
}

export interface ProcessEntry extends ProcessIdentity {
  readonly parentPid: number;
  readonly groupId: number;
  readonly sessionId: number;
}

/** All living processes. A zombie is not alive, although `kill(pid, 0)` says so. */
export function readProcessTable(): ProcessEntry[] {
  if (process.platform === 'linux') return readProc();
  if (process.platform === 'win32') return [];
  return readPs();
}

function readProc(): ProcessEntry[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => readProcStat(pid) ?? []);
}

function readProcStat(pid: string): ProcessEntry | undefined {
  const stat = readProcFile(pid, 'stat');
  // The command name stands in parentheses and may itself contain spaces and parentheses.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parentPid, groupId, sessionId] = fields ?? [];
  const startTime = fields?.[19];
  if (startTime === undefined || state === 'Z' || state === 'X') return undefined;
  return {
    pid: Number(pid),
    startTime,
    parentPid: Number(parentPid),
    groupId: Number(groupId),
    sessionId: Number(sessionId),
  };
}

/** When a living process started, in the same unit as in the table. Only where that is a number: on Linux. */
export function readStartTime(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const startTime = readProcStat(String(pid))?.startTime;
  return startTime === undefined ? undefined : Number(startTime);
}

/** Whether the process lives, and, where it is known when it started, is no later one with the same number. */
export function isProcessAlive(pid: number, startTime?: number): boolean {
  if (startTime !== undefined) return readStartTime(pid) === startTime;
  if (process.platform !== 'win32') return readProcessTable().some((entry) => entry.pid === pid);
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Whether the process was started with this variable. Only Linux lets us ask. */
export function hasEnvironmentEntry(pid: number, entry: string): boolean {
  if (process.platform !== 'linux') return false;
  return readProcFile(String(pid), 'environ')?.split('\0').includes(entry) ?? false;
}

/** The soft limit of file locks, as it is written. Only Linux lets us ask. */
export function readLocksLimit(pid: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  return /^Max file locks\s+(\S+)/m.exec(readProcFile(String(pid), 'limits') ?? '')?.[1];
}

/** Resident memory of a process in MB. Undefined on systems without `/proc`. */
export function readMemoryMb(pid: number): number | undefined {
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(readProcFile(String(pid), 'status') ?? '')?.[1];
  return kib === undefined ? undefined : Number(kib) / KIB_PER_MB;
}

/** Undefined where the process has gone meanwhile or belongs to somebody else. */
function readProcFile(pid: string, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return undefined;
  }
}

function readPs(): ProcessEntry[] {
  const args = ['-A', '-o', 'pid=,ppid=,pgid=,sess=,stat=,lstart='];
  const { stdout } = execaSync('ps', args, { reject: false });
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [pid, parentPid, groupId, sessionId, state, ...started] = line.trim().split(/\s+/);
    if (state === undefined || state.startsWith('Z')) return [];
    return {
      pid: Number(pid),
      parentPid: Number(parentPid),
      groupId: Number(groupId),
      sessionId: Number(sessionId),
      startTime: started.join(' '),
    };
  });
}
