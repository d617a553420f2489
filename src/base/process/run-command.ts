import { execa } from 'execa';

const MOST_OUTPUT_BYTES = 1024 * 1024 * 1024;
const STDERR_TAIL_BYTES = 4_000;

export interface CommandRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Whether it gets our environment too. Default true. */
  readonly inheritEnv?: boolean | undefined;
  /** Default: none at all. */
  readonly stdin?: Buffer | undefined;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface CommandOutput {
  /** Undefined where it was not started, or did not come to an end of its own. */
  readonly exitCode: number | undefined;
  readonly stdout: Buffer;
  readonly stderrTail: string;
  /** Why it could not be started: `ENOENT`. */
  readonly errno: string | undefined;
}

/** Runs a small command to its end, whatever that is. */
export async function captureCommand(request: CommandRequest): Promise<CommandOutput> {
  const { stdin, signal } = request;
  const result = await execa(request.command, request.args, {
    ...(request.cwd === undefined ? {} : { cwd: request.cwd }),
    env: request.env ?? {},
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
    // More output than we take fails also what has ended well.
    exitCode: failed && exitCode === 0 ? undefined : exitCode,
    stdout: Buffer.from(result.stdout ?? []),
    stderrTail: Buffer.from(result.stderr ?? [])
      .subarray(-STDERR_TAIL_BYTES)
      .toString(),
    errno: exitCode === undefined ? result.code : undefined,
  };
}

/** The same for whom only success counts: its stdout, or undefined where it failed in any way. */
export async function runCommand(request: CommandRequest): Promise<Buffer | undefined> {
  const { exitCode, stdout } = await captureCommand(request);
  return exitCode === 0 ? stdout : undefined;
}
