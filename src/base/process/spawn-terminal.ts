import { execa } from 'execa';
import { killProcessTree } from './kill-process-tree.js';
import { PROCESS_TAG_VARIABLE, ProcessTree } from './process-tree.js';
import { forgetProcesses, watchProcesses } from './reaper.js';
import type { ProcessExit } from './spawn-with-files.js';
import { waitForExit } from './wait-for-exit.js';

export interface TerminalRequest {
  /** Tag by which all processes of the command are found and ended. */
  readonly processTag: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly onOutput: (chunk: Buffer) => void;
}

/** A running command of an agent or of a check. */
export interface TerminalChild {
  /** Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Ends the command and all processes that it started. */
  kill(): Promise<void>;
}

export function spawnTerminal(request: TerminalRequest): TerminalChild {
  // Register the tag before the start, so that a kill at any moment finds the process. The pid follows below.
  watchProcesses(request.processTag);
  const child = execa(request.command, request.args, {
    cwd: request.cwd,
    env: { ...request.env, [PROCESS_TAG_VARIABLE]: request.processTag },
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
  watchProcesses(request.processTag, child.pid);
  child.stdout.on('data', request.onOutput);
  child.stderr.on('data', request.onOutput);
  const tree = new ProcessTree({ tag: request.processTag, rootPid: child.pid });
  return {
    exited: waitForExit(child),
    kill: async () => {
      await killProcessTree(tree);
      forgetProcesses(request.processTag);
    },
  };
}
