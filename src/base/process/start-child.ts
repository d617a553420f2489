import type { ChildProcess, StdioOptions } from 'node:child_process';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import spawn from 'cross-spawn';
import { errnoOf } from '../errors/errno.js';
import { NEW_SESSION } from './own-session.js';
import { type ProcessExit, toProcessExit } from './process-exit.js';

export interface ChildRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Whole environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdio: StdioOptions;
}

export interface StartedChild {
  readonly pid: number | undefined;
  /** Undefined if the system refused the start at once. */
  readonly process: ChildProcess | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the process has exited and its pipes are closed. Never rejects. */
  readonly closed: Promise<ProcessExit>;
}

/**
 * Starts a process in a folder of the user, in a session of its own. execa is not used for it: when such a process has failed,
 * execa asks for the stats of the folder in this thread, which waits for ever if the server of the file system is gone.
 */
export function startChild({ command, args, ...options }: ChildRequest): StartedChild {
  try {
    return describeChild(spawn(command, args, { ...NEW_SESSION, ...options }));
  } catch (error) {
    // Node throws for some errors of the system (E2BIG), and reports the others with an event.
    const [stdin, stdout, stderr] = [
      new PassThrough(),
      new PassThrough().end(),
      new PassThrough().end(),
    ];
    const closed = Promise.resolve(describeRefusal(error));
    return { pid: undefined, process: undefined, stdin, stdout, stderr, closed };
  }
}

function describeChild(child: ChildProcess): StartedChild {
  // A pipe breaks with the process. The exit of the process reports the failure.
  for (const stream of child.stdio) stream?.on('error', () => {});
  const closed = new Promise<ProcessExit>((resolve) => {
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(describeRefusal(error));
    });
    child.once('close', (code, signal) => resolve(toProcessExit(code, signal)));
  });
  const { pid, stdin, stdout, stderr } = child;
  return {
    pid,
    process: child,
    stdin: stdin ?? new PassThrough(),
    stdout: stdout ?? new PassThrough().end(),
    stderr: stderr ?? new PassThrough().end(),
    closed,
  };
}

function describeRefusal(error: unknown): ProcessExit {
  return { exitCode: undefined, signal: undefined, spawnErrno: errnoOf(error) ?? 'UNKNOWN' };
}
