import { execa } from 'execa';
import { exitOf } from './exit-of.js';
import { ProcessFamily, RUN_MARKER } from './process-family.js';
import { forgetRun, watchRun } from './reaper.js';
import type { ProcessExit } from './spawn-cli.js';
import { terminateFamily } from './terminate-family.js';

export interface TerminalRequest {
  /** Marks its processes, so that all of them can be found and ended. */
  readonly runId: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly onOutput: (chunk: Buffer) => void;
}

/** A command that runs for an agent. */
export interface TerminalChild {
  /** Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Ends it and everything it has started. */
  kill(): Promise<void>;
}

export function spawnTerminal(request: TerminalRequest): TerminalChild {
  // Told before there is a process: it is found by its marker until its pid is known.
  watchRun(request.runId);
  const child = execa(request.command, request.args, {
    cwd: request.cwd,
    env: { ...request.env, [RUN_MARKER]: request.runId },
    extendEnv: false,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    buffer: false,
    detached: true,
    cleanup: false,
    reject: false,
    windowsHide: true,
  });
  watchRun(request.runId, child.pid);
  child.stdout.on('data', request.onOutput);
  child.stderr.on('data', request.onOutput);
  const family = new ProcessFamily({ runId: request.runId, rootPid: child.pid });
  return {
    exited: exitOf(child),
    kill: async () => {
      await terminateFamily(family);
      forgetRun(request.runId);
    },
  };
}
