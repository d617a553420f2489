import { closeSync, createReadStream, createWriteStream, openSync } from 'node:fs';
import { execa } from 'execa';
import { readReportedExit, reportPipe, withLauncher } from './launcher.js';
import { OWN_SESSION } from './own-session.js';
import { STATUS_FD } from './subreaper.js';

export interface SpawnRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Files instead of pipes: a program that exits without waiting for a pipe (the Gemini CLI does) loses unread output. */
  readonly stdinFile: string;
  readonly stdoutFile: string;
  readonly stderrFile: string;
  /** Words before the command: a program that starts it inside of an isolation. */
  readonly launcher?: readonly string[] | undefined;
}

export interface ProcessExit {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  /** Set if the process could not be started: `ENOENT`, `E2BIG`, … */
  readonly spawnErrno?: string | undefined;
}

export interface SpawnedProcess {
  readonly pid: number | undefined;
  /** Never rejects. */
  readonly exited: Promise<ProcessExit>;
}

const PRIVATE = 0o600;

/** Starts a program in a process group of its own, with files as stdin, stdout and stderr. */
export function spawnWithFiles(request: SpawnRequest): SpawnedProcess {
  const streams = openStreams(request);
  const { command, args } = withLauncher(request);
  const child = execa(command, args, {
    ...OWN_SESSION,
    cwd: request.cwd,
    env: request.env,
    extendEnv: false,
    // execa passes streams with a file descriptor directly to the child.
    stdio: [streams.stdin, streams.stdout, streams.stderr, ...reportPipe(request.launcher)],
    buffer: false,
  });
  for (const stream of Object.values(streams)) stream.destroy();
  const exited = child.then((result) => toProcessExit(child.pid, result));
  // A launcher stays for the processes that are left, and its pipe stays open with it.
  const reported = readReportedExit(child.stdio[STATUS_FD]);
  return { pid: child.pid, exited: Promise.race([exited, reported]) };
}

/** Part of the result of execa that reports the exit of a process. */
export interface ExecaExit {
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly code?: string | undefined;
}

/** Converts the result of execa. Without a pid the process was not started, and `code` is the reason. */
export function toProcessExit(
  pid: number | undefined,
  { exitCode, signal, code }: ExecaExit,
): ProcessExit {
  const spawnErrno = pid === undefined ? (code ?? 'UNKNOWN') : undefined;
  return { exitCode, signal, spawnErrno };
}

function openStreams({ stdinFile, stdoutFile, stderrFile }: SpawnRequest) {
  const opened: number[] = [];
  const open = (path: string, flags: 'r' | 'a'): number => {
    const fd = openSync(path, flags, PRIVATE);
    opened.push(fd);
    return fd;
  };
  try {
    return {
      stdin: createReadStream('', { fd: open(stdinFile, 'r') }),
      stdout: createWriteStream('', { fd: open(stdoutFile, 'a') }),
      stderr: createWriteStream('', { fd: open(stderrFile, 'a') }),
    };
  } catch (error) {
    for (const fd of opened) closeSync(fd);
    throw error;
  }
}
