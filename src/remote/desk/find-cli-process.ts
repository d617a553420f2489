import { basename } from 'node:path';
import { readStartTime } from '../../base/process/process-table.js';
import type { CliProcess } from '../drivers/tmux/end-cli.js';
import { openProcesses, type ReadProcess, type RunningProcess } from './read-process.js';

/** Processes that are looked at: the shells of a hook, the CLI, and its parents. */
const MOST_PROCESSES = 16;
const SHELL = /^-?(?:sh|ash|bash|busybox|dash|fish|ksh|zsh)$/;

/** The CLI that has started a hook. */
export interface HookProcess {
  readonly cli: CliProcess;
  /** Program and arguments of the CLI. */
  readonly args: readonly string[];
  /** True if a person sits in front of it. */
  readonly isInteractive: boolean;
  /** Pids of its parents. */
  readonly parents: readonly number[];
}

/** Finds the CLI that has started a hook. Undefined where the system does not tell. */
export async function findCliProcess(pid: string | undefined): Promise<HookProcess | undefined> {
  return pid !== undefined && /^\d+$/.test(pid)
    ? findCliAmong(await openProcesses(), Number(pid))
    : undefined;
}

/**
 * Finds the CLI among a process and its parents: the first one that is no shell. The CLI starts its hooks with a shell. A CLI that
 * was started by a tool of another CLI has this one among its parents. Exported for its test.
 */
export function findCliAmong(read: ReadProcess, pid: number): HookProcess | undefined {
  const line: RunningProcess[] = [];
  for (let next = pid; next > 1 && line.length < MOST_PROCESSES; ) {
    const found = read(next);
    if (found === undefined) break;
    line.push(found);
    next = found.parentPid;
  }
  const at = line.findIndex(({ args }) => !SHELL.test(basename(args[0] ?? '')));
  const cli = line[at];
  if (cli === undefined) return undefined;
  return {
    cli: { pid: cli.pid, startTime: readStartTime(cli.pid) },
    args: cli.args,
    isInteractive: cli.isInteractive,
    parents: line.slice(at + 1).map((parent) => parent.pid),
  };
}
