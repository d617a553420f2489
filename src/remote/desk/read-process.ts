import { readFileSync, readlinkSync } from 'node:fs';
import { captureCommand } from '../../base/process/capture-command.js';

const TERMINAL = /^\/dev\/(pts\/|tty)/;
/** Flag for one prompt without a screen. */
const HEADLESS = /^(?:-p|--prompt|--prompt=.*)$/;
const PS_MS = 5_000;
const PS = ['-A', '-ww', '-o', 'pid=,ppid=,tty=,stat=,args='];
const PS_ROW = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(.*)$/;

/** A process that runs now. */
export interface RunningProcess {
  readonly pid: number;
  readonly parentPid: number;
  /** Program and arguments. Where `/proc` is missing, they are split at blanks. */
  readonly args: readonly string[];
  /** True if the process reads from a terminal. */
  readonly isInteractive: boolean;
}

export type ReadProcess = (pid: number) => RunningProcess | undefined;

/** Opens the processes of the system for reading: `/proc` on Linux, the table of `ps` elsewhere. */
export async function openProcesses(): Promise<ReadProcess> {
  if (process.platform === 'linux') return readProc;
  const table = await readPsTable();
  return (pid) => table.get(pid);
}

function readProc(pid: number): RunningProcess | undefined {
  try {
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0$/, '').split('\0');
    const parent = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    const hasTerminal = TERMINAL.test(readlinkSync(`/proc/${pid}/fd/0`));
    const isInteractive = hasTerminal && !args.some((arg) => HEADLESS.test(arg));
    return { pid, parentPid: Number(parent), args, isInteractive };
  } catch {
    return undefined;
  }
}

/**
 * Reads the table of `ps`, which does not tell from where a process reads: one in the foreground of a terminal counts as interactive.
 * Empty where there is no `ps`. Exported for its test.
 */
export async function readPsTable(): Promise<ReadonlyMap<number, RunningProcess>> {
  const { stdout } = await captureCommand({ command: 'ps', args: PS, timeoutMs: PS_MS });
  const rows = stdout.toString().split('\n');
  return new Map(
    rows.flatMap((row) => {
      const [, pid, parentPid, terminal = '', state = '', line = ''] = PS_ROW.exec(row) ?? [];
      if (pid === undefined) return [];
      const isInteractive = !terminal.startsWith('?') && state.includes('+');
      const args = line.split(/\s+/);
      return [
        [Number(pid), { pid: Number(pid), parentPid: Number(parentPid), args, isInteractive }],
      ];
    }),
  );
}
