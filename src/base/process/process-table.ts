import { readdirSync, readFileSync } from 'node:fs';
import { execaSync } from 'execa';

/** Length of a clock tick in `/proc`, which is the same for all programs on all Linux systems. */
const MS_PER_TICK = 10;
const KIB_PER_MB = 1024;
/** Runs of `ps` until one is not ended by a signal. */
const MOST_TRIES = 3;

/** Pid and start time: together they tell a process from a later one with the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time in the unit of the system. Only compared for equality. */
  readonly startTime: string;
}

export interface ProcessEntry extends ProcessIdentity {
  readonly parentPid: number;
  readonly groupId: number;
  readonly sessionId: number;
}

/** Reads all living processes. Zombies are left out, although `kill(pid, 0)` succeeds for them. Empty on Windows. */
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
  // The command name is in parentheses and may itself contain spaces and parentheses.
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

/** Reads the start time of a living process, in the unit of the table. Linux only, where the time is a number. */
export function readStartTime(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const startTime = readProcStat(String(pid))?.startTime;
  return startTime === undefined ? undefined : Number(startTime);
}

/** True if the pid still belongs to this process. Outside of Linux the pid alone has to do. */
export function isSameProcess({ pid, startTime }: ProcessIdentity): boolean {
  return process.platform !== 'linux' || readProcStat(String(pid))?.startTime === startTime;
}

/** True if the process is alive. A given start time also excludes a later process with the same pid. */
export function isProcessAlive(pid: number, startTime?: number): boolean {
  if (startTime !== undefined) return readStartTime(pid) === startTime;
  if (process.platform !== 'win32') return readProcessTable().some((entry) => entry.pid === pid);
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** True if the process waits in the kernel and takes no signal now (state D). Always false outside Linux. */
export function isInKernel(pid: number): boolean {
  return readState(pid) === 'D';
}

/** True if the process was stopped by a signal such as SIGSTOP, and does nothing until SIGCONT. Always false outside Linux. */
export function isStopped(pid: number): boolean {
  return readState(pid) === 'T';
}

/**
 * True if the process gets the keys of its terminal: it is alive, and in the foreground. A process that was stopped by Ctrl-Z has left
 * the keys to its shell. True for a living process without a terminal.
 */
export function isInForeground(pid: number): boolean {
  if (process.platform === 'linux') {
    const stat = readProcFile(String(pid), 'stat');
    // The name of the program is in parentheses and may contain blanks.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, , group, , terminal, foreground] = fields ?? [];
    if (state === undefined || state === 'Z' || state === 'X') return false;
    return terminal === '0' || group === foreground;
  }
  if (process.platform === 'win32') return isProcessAlive(pid);
  const [state = '', terminal = ''] = askPs(['-o', 'stat=', '-o', 'tty=', '-p', String(pid)])
    .trim()
    .split(/\s+/);
  return (
    state.includes('+') || (state !== '' && !state.startsWith('Z') && terminal.startsWith('?'))
  );
}

/** Reads the state of a process as one letter. */
function readState(pid: number): string | undefined {
  const stat = process.platform === 'linux' ? readProcFile(String(pid), 'stat') : undefined;
  return stat?.[stat.lastIndexOf(')') + 2];
}

/** True if the process was started with this entry (`NAME=value`) in its environment. Always false outside Linux. */
export function hasEnvironmentEntry(pid: number, entry: string): boolean {
  if (process.platform !== 'linux') return false;
  return readProcFile(String(pid), 'environ')?.split('\0').includes(entry) ?? false;
}

/** Reads the soft limit of file locks (RLIMIT_LOCKS) as text. Undefined outside Linux. */
export function readLocksLimit(pid: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  return /^Max file locks\s+(\S+)/m.exec(readProcFile(String(pid), 'limits') ?? '')?.[1];
}

/** Reads the resident memory of a process in MB. Undefined on systems without `/proc`. */
export function readMemoryMb(pid: number): number | undefined {
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(readProcFile(String(pid), 'status') ?? '')?.[1];
  return kib === undefined ? undefined : Number(kib) / KIB_PER_MB;
}

/** Reads the CPU time that a process has used, in milliseconds. Undefined outside Linux. */
export function readCpuMs(pid: number): number | undefined {
  const stat = process.platform === 'linux' ? readProcFile(String(pid), 'stat') : undefined;
  // The name of the program is in brackets and may contain blanks. Behind it, fields 11 and 12 are user and system time.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields === undefined ? undefined : (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/** Reads a file of `/proc`. Undefined if the process has ended or belongs to another user. */
function readProcFile(pid: string, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return undefined;
  }
}

function readPs(): ProcessEntry[] {
  const args = ['-A', '-o', 'pid=,ppid=,pgid=,sess=,stat=,lstart='];
  return askPs(args)
    .split('\n')
    .flatMap((line) => {
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

/** Runs `ps`. A synchronous command cannot get a session of its own: one that dies of a Ctrl-C is run again. */
function askPs(args: readonly string[], tries = MOST_TRIES): string {
  const { stdout, signal } = execaSync('ps', args, { reject: false });
  return signal === undefined || tries <= 1 ? (stdout ?? '') : askPs(args, tries - 1);
}
