import { execa } from 'execa';
import { STATE_KEY_VARIABLE } from './environment.js';

const MOST_OUTPUT_BYTES = 1024 * 1024 * 1024;
const STDERR_TAIL_BYTES = 4_000;

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

/** Runs a short command to its end and captures its output. Never throws. */
export async function captureCommand(request: CommandRequest): Promise<CommandOutput> {
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
