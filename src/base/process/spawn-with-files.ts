import { closeSync, createReadStream, createWriteStream, openSync } from 'node:fs';
import { readReportedExit, reportPipe, withLauncher } from './launcher.js';
import type { ProcessExit } from './process-exit.js';
import { startChild } from './start-child.js';
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
  const { cwd, env } = request;
  const stdio = [streams.stdin, streams.stdout, streams.stderr, ...reportPipe(request.launcher)];
  const { pid, process, closed } = startChild({ command, args, cwd, env, stdio });
  for (const stream of Object.values(streams)) stream.destroy();
  // A launcher stays for the processes that are left, and its pipe stays open with it.
  const reported = readReportedExit(process?.stdio[STATUS_FD]);
  return { pid, exited: Promise.race([closed, reported]) };
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
