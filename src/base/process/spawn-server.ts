import { execa } from 'execa';
import { WITHOUT_PRIVATE } from './environment.js';
import { OWN_SESSION } from './own-session.js';

export interface ServerRequest {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** User that the program runs as. Default: the user of this process. */
  readonly identity?: ProgramIdentity | undefined;
  /** Receives the output on stderr. Without it the output is dropped, and the program does not keep this process alive. */
  readonly onStderr?: ((text: string) => void) | undefined;
}

/** User and group of a program. Only root can choose them. */
export interface ProgramIdentity {
  readonly uid?: number;
  readonly gid?: number;
}

export interface ServerProcess {
  readonly pid: number | undefined;
  /** Settles when the program has ended. The value is its exit code: undefined after a signal or if it could not be started. */
  readonly exited: Promise<number | undefined>;
  signal(name: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): void;
}

/** Starts a program that serves others and has a session of its own. The program outlives this process. */
export function spawnServer(request: ServerRequest): ServerProcess {
  const { onStderr } = request;
  const child = execa(request.command, request.args, {
    ...OWN_SESSION,
    env: { ...request.env, ...WITHOUT_PRIVATE },
    ...request.identity,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: onStderr === undefined ? 'ignore' : 'pipe',
    buffer: false,
  });
  if (onStderr === undefined) child.unref();
  else child.stderr?.setEncoding('utf8').on('data', (text: string) => onStderr(text));
  return {
    pid: child.pid,
    exited: child.then(({ exitCode }) => exitCode),
    signal: (name) => void child.kill(name),
  };
}
