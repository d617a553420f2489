import { createWriteStream, openSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { readReportedExit, reportPipe, withLauncher } from './launcher.js';
import type { ProcessExit } from './process-exit.js';
import { startChild } from './start-child.js';
import { STATUS_FD } from './subreaper.js';
import { waitForExit } from './wait-for-exit.js';

export interface SpawnAgentRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stderrFile: string;
  /** Words before the command: a program that starts it inside of an isolation. */
  readonly launcher?: readonly string[] | undefined;
}

/** Process of an ACP agent, driven over stdin and stdout. The process lives longer than one step. */
export interface AgentChild {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Sets whether the agent keeps this process alive: true while the agent works, false while it is idle. */
  keepAlive(isNeeded: boolean): void;
}

export function spawnAgent(request: SpawnAgentRequest): AgentChild {
  const stderr = createWriteStream('', { fd: openSync(request.stderrFile, 'a', 0o600) });
  const { command, args } = withLauncher(request);
  const { cwd, env } = request;
  const stdio = ['pipe' as const, 'pipe' as const, stderr, ...reportPipe(request.launcher)];
  const child = startChild({ command, args, cwd, env, stdio });
  stderr.destroy();
  const report = child.process?.stdio[STATUS_FD];
  const exited = Promise.race([waitForExit(child), readReportedExit(report)]);
  // Close stdout when the agent exits: orphaned children may hold the pipe, and their output is not the agent's.
  void exited.then(() => child.stdout.destroy());
  return {
    pid: child.pid,
    stdin: child.stdin,
    stdout: child.stdout,
    exited,
    keepAlive: (isNeeded) => {
      for (const handle of [child.process, child.stdin, child.stdout, report])
        setReferenced(handle, isNeeded);
    },
  };
}

/** Calls `ref` or `unref` by name: the pipes of a child are sockets and have them, but their types do not say so. */
function setReferenced(handle: object | null | undefined, isNeeded: boolean): void {
  if (!handle) return;
  const method: unknown = Reflect.get(handle, isNeeded ? 'ref' : 'unref');
  if (typeof method === 'function') method.call(handle);
}
