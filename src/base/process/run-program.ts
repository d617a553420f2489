import { randomUUID } from 'node:crypto';
import { ByteTail } from './byte-tail.js';
import type { TreeIsolation } from './isolation.js';
import type { ProcessExit } from './process-exit.js';
import { spawnTerminal } from './spawn-terminal.js';
import { settlesWithin } from './timing.js';

export interface ProgramRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Number of bytes kept from the end of the output. */
  readonly outputBytes: number;
  readonly isolation?: TreeIsolation | undefined;
}

export interface ProgramExit extends ProcessExit {
  readonly isTimedOut: boolean;
  /** End of stdout and stderr, in the order of arrival. */
  readonly output: string;
}

/**
 * Runs a program to its end, without a shell and without stdin, and ends all processes that the program started. Throws
 * the reason of the signal if the signal is aborted first.
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
    isolation: request.isolation,
  });
  const hasEnded = await settlesWithin(child.exited, timeoutMs, signal);
  // Kill the tree even after an exit, because the program may have left children behind.
  await child.kill();
  signal?.throwIfAborted();
  const exit = hasEnded ? await child.exited : {};
  return { ...exit, isTimedOut: !hasEnded, output: tail.toString() };
}
