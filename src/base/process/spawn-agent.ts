import { createWriteStream, openSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { execa } from 'execa';
import type { ProcessExit } from './spawn-cli.js';
import { waitForExit } from './wait-for-exit.js';

export interface SpawnAgentRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stderrFile: string;
}

/** A process that is talked to, and that lives longer than one step. */
export interface AgentChild {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Whether it keeps our own process alive: it should while it works, and not while it waits. */
  keepAlive(isNeeded: boolean): void;
}

export function spawnAgent(request: SpawnAgentRequest): AgentChild {
  const stderr = createWriteStream('', { fd: openSync(request.stderrFile, 'a', 0o600) });
  const child = execa(request.command, request.args, {
    cwd: request.cwd,
    env: request.env,
    extendEnv: false,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr,
    buffer: false,
    // A process group of its own, so that a signal meant for us does not reach it before we act.
    detached: true,
    cleanup: false,
    reject: false,
    windowsHide: true,
  });
  stderr.destroy();
  // A write to an agent that has just died: its exit tells more.
  child.stdin.on('error', () => {});
  child.stdout.on('error', () => {});
  const exited = waitForExit(child);
  // Whoever it has left behind does not speak for it.
  void exited.then(() => child.stdout.destroy());
  return {
    pid: child.pid,
    stdin: child.stdin,
    stdout: child.stdout,
    exited,
    keepAlive: (isNeeded) => {
      for (const handle of [child, child.stdin, child.stdout]) setReferenced(handle, isNeeded);
    },
  };
}

/** Pipes of a child are sockets, which their types do not say. */
function setReferenced(handle: object, isNeeded: boolean): void {
  const method: unknown = Reflect.get(handle, isNeeded ? 'ref' : 'unref');
  if (typeof method === 'function') method.call(handle);
}
