import { randomUUID } from 'node:crypto';
import { ByteTail } from './byte-tail.js';
import type { ProcessExit } from './spawn-cli.js';
import { spawnTerminal } from './spawn-terminal.js';
import { settlesWithin } from './timing.js';

export interface ProgramRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** How much of what it prints is kept: the end of it. */
  readonly outputBytes: number;
}

export interface ProgramExit extends ProcessExit {
  readonly isTimedOut: boolean;
  /** The end of stdout and stderr, in the order in which they came. */
  readonly output: string;
}

/**
 * Runs a program to its end, without a shell and without input, and ends everything that it has started. Throws the
 * reason of the signal where that comes first.
 */
export async function runProgram(request: ProgramRequest): Promise<ProgramExit> {
  const { signal, timeoutMs } = request;
  signal?.throwIfAborted();
  const tail = new ByteTail(request.outputBytes);
  const child = spawnTerminal({
    processTag: randomUUID(),
    command: request.command,
    args: request.args,
    cwd: request.cwd,
    env: request.env,
    onOutput: (chunk) => tail.push(chunk),
  });
  const hasEnded = await settlesWithin(child.exited, timeoutMs, signal);
  // Also after its end: those whom it has left behind go with it.
  await child.kill();
  signal?.throwIfAborted();
  const exit = hasEnded ? await child.exited : {};
  return { ...exit, isTimedOut: !hasEnded, output: tail.toString() };
}
