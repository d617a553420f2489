import { execa } from 'execa';
import { callOnAbort } from './abort-listeners.js';
import { STATE_KEY_VARIABLE } from './environment.js';
import { settlesWithin } from './timing.js';

const MOST_OUTPUT_BYTES = 1024 * 1024 * 1024;
const STDERR_TAIL_BYTES = 4_000;
/** Longest wait for the exit after an abort. A command that hangs in the kernel never exits. */
const ABORT_WAIT_MS = 500;

const NOT_EXITED: CommandOutput = {
  exitCode: undefined,
  stdout: Buffer.alloc(0),
  stderrTail: '',
  errno: undefined,
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
}

/** Runs a short command to its end and captures its output. Never throws. An abort kills the command. */
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
  const { stdin, signal } = request;
  const result = await execa(request.command, request.args, {
    ...(request.cwd === undefined ? {} : { cwd: request.cwd }),
    // No child gets the key of the state: `undefined` removes an inherited variable.
    env: { ...request.env, [STATE_KEY_VARIABLE]: undefined },
    extendEnv: request.inheritEnv ?? true,
    ...(stdin === undefined ? { stdin: 'ignore' } : { input: stdin }),
    encoding: 'buffer',
    stripFinalNewline: false,
    maxBuffer: MOST_OUTPUT_BYTES,
    timeout: request.timeoutMs,
    forceKillAfterDelay: ABORT_WAIT_MS / 2,
    ...(signal === undefined ? {} : { cancelSignal: signal }),
    reject: false,
  });
  const { exitCode, failed } = result;
  return {
    // Exceeding `maxBuffer` is a failure even if the command exits with 0.
    exitCode: failed && exitCode === 0 ? undefined : exitCode,
    stdout: Buffer.from(result.stdout ?? []),
    stderrTail: Buffer.from(result.stderr ?? [])
      .subarray(-STDERR_TAIL_BYTES)
      .toString(),
    errno: exitCode === undefined ? result.code : undefined,
  };
}
