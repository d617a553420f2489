import { execa } from 'execa';

export interface CommandRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Runs a small command to its end; its stdout, or undefined where it failed in any way. */
export async function runCommand(request: CommandRequest): Promise<Buffer | undefined> {
  const result = await execa(request.command, request.args, {
    ...(request.cwd === undefined ? {} : { cwd: request.cwd }),
    env: request.env ?? {},
    stdin: 'ignore',
    stderr: 'ignore',
    encoding: 'buffer',
    stripFinalNewline: false,
    maxBuffer: 1024 * 1024 * 1024,
    timeout: request.timeoutMs,
    ...(request.signal === undefined ? {} : { cancelSignal: request.signal }),
    reject: false,
  });
  return result.failed ? undefined : Buffer.from(result.stdout);
}
