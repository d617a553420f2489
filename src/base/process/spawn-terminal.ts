import { NO_ISOLATION, type TreeIsolation } from './isolation.js';
import { readReportedExit, reportPipe, withLauncher } from './launcher.js';
import type { ProcessExit } from './process-exit.js';
import { PROCESS_TAG_VARIABLE } from './process-tree.js';
import { startChild } from './start-child.js';
import { STATUS_FD } from './subreaper.js';
import { waitForExit } from './wait-for-exit.js';
import { WatchedTree } from './watched-tree.js';

export interface TerminalRequest {
  /** Tag by which all processes of the command are found and ended. */
  readonly processTag: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly onOutput: (chunk: Buffer) => void;
  /** Means that hold the processes of the command together. Default: none. */
  readonly isolation?: TreeIsolation | undefined;
}

/** A running command of an agent or of a check. */
export interface TerminalChild {
  /** Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Ends the command and all processes that it started. */
  kill(): Promise<void>;
}

export function spawnTerminal(request: TerminalRequest): TerminalChild {
  const tree = new WatchedTree(request.processTag, request.isolation ?? NO_ISOLATION);
  const launcher = [...tree.launcher, ...enterCgroup(tree.cgroup)];
  const { command, args } = withLauncher({ ...request, launcher });
  const child = startChild({
    command,
    args,
    cwd: request.cwd,
    env: { ...request.env, [PROCESS_TAG_VARIABLE]: request.processTag },
    stdio: ['ignore', 'pipe', 'pipe', ...reportPipe(tree.launcher)],
  });
  tree.started(child.pid);
  child.stdout.on('data', request.onOutput);
  child.stderr.on('data', request.onOutput);
  return {
    exited: Promise.race([waitForExit(child), readReportedExit(child.process?.stdio[STATUS_FD])]),
    kill: async () => {
      await tree.kill();
      tree.forget();
    },
  };
}

/** Returns a launcher that enters the cgroup before the command starts: a shell may leave a daemon at once. */
function enterCgroup(cgroup: string | undefined): string[] {
  if (cgroup === undefined) return [];
  return ['/bin/sh', '-c', 'echo $$ > "$0/cgroup.procs"; exec "$@"', cgroup];
}
