import { execa } from 'execa';
import { callOnAbort } from './abort-listeners.js';
import { WITHOUT_PRIVATE } from './environment.js';
import { OWN_SESSION } from './own-session.js';
import { settlesWithin } from './timing.js';
import { type WatchedGroup, watchGroup } from './watched-group.js';

const MOST_OUTPUT_BYTES = 1024 * 1024 * 1024;
const STDERR_TAIL_BYTES = 4_000;
/** Longest wait for the exit after an abort. A command that hangs in the kernel never exits. */
const ABORT_WAIT_MS = 500;

const NOT_EXITED: CommandOutput = {
  exitCode: undefined,
  stdout: Buffer.alloc(0),
  stderrTail: '',
  errno: undefined,
  signal: undefined,
  isTimedOut: false,
};

export interface CommandRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** True if the command also gets the environment of this process. Default: true. */
  readonly inheritEnv?: boolean | undefined;
  /** Default: no stdin. */
  readonly stdin?: Buffer | undefined;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface CommandOutput {
  /** Undefined if the command was not started, was ended by a signal, or printed too much. */
  readonly exitCode: number | undefined;
  readonly stdout: Buffer;
  readonly stderrTail: string;
  /** Reason why the command could not be started, such as `ENOENT`. */
  readonly errno: string | undefined;
  /** Signal of another process that ended the command. Undefined if this package ended the command. */
  readonly signal?: string | undefined;
  /** True if the command took longer than its time and was ended. */
  readonly isTimedOut?: boolean | undefined;
}

/**
 * Runs a short command to its end and captures its output. Never throws. An abort or the end of the time kills the command with
 * all processes of its group.
 */
export async function captureCommand(request: CommandRequest): Promise<CommandOutput> {
  const { signal } = request;
  const running = run(request);
  if (signal === undefined) return running;
  return new Promise((resolve) => {
    const forget = callOnAbort(signal, () => {
      void settlesWithin(running, ABORT_WAIT_MS).then(() => resolve(NOT_EXITED));
    });
    void running.then((output) => {
      forget();
      resolve(output);
    });
  });
}

async function run(request: CommandRequest): Promise<CommandOutput> {
  const { stdin } = request;
  const child = execa(request.command, request.args, {
    ...OWN_SESSION,
    ...(request.cwd === undefined ? {} : { cwd: request.cwd }),
    env: { ...request.env, ...WITHOUT_PRIVATE },
    extendEnv: request.inheritEnv ?? true,
    ...(stdin === undefined ? { stdin: 'ignore' } : { input: stdin }),
    encoding: 'buffer',
    stripFinalNewline: false,
    maxBuffer: MOST_OUTPUT_BYTES,
  });
  const group = watchGroup(child.pid);
  const stop = stopAfter(request, group);
  const result = await child;
  const isStopped = stop.end();
  group.forget();
  const { exitCode, failed } = result;
  return {
    // Exceeding `maxBuffer` is a failure even if the command exits with 0.
    exitCode: failed && exitCode === 0 ? undefined : exitCode,
    stdout: Buffer.from(result.stdout ?? []),
    stderrTail: Buffer.from(result.stderr ?? [])
      .subarray(-STDERR_TAIL_BYTES)
      .toString(),
    errno: exitCode === undefined ? result.code : undefined,
    signal: isStopped ? undefined : result.signal,
    isTimedOut: stop.isTimedOut,
  };
}

/** Ends the process group of a command after its time, or at an abort: SIGTERM first, then SIGKILL. */
function stopAfter({ timeoutMs, signal }: CommandRequest, group: WatchedGroup) {
  let isTimedOut = false;
  let isStopped = false;
  let killing: NodeJS.Timeout | undefined;
  const stop = (): void => {
    isStopped = true;
    group.signal('SIGTERM');
    killing ??= setTimeout(() => group.signal('SIGKILL'), ABORT_WAIT_MS / 2);
  };
  const timer = setTimeout(() => {
    isTimedOut = true;
    stop();
  }, timeoutMs);
  const forget = signal === undefined ? () => {} : callOnAbort(signal, stop);
  return {
    get isTimedOut() {
      return isTimedOut;
    },
    /** Ends the watch. True if the command was stopped. */
    end: (): boolean => {
      clearTimeout(timer);
      clearTimeout(killing);
      forget();
      return isStopped;
    },
  };
}
