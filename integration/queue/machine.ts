import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const PROGRAMS = join(import.meta.dirname, '..', 'programs');

/** A machine in a test: a program with a home, a temporary folder and a cache of its own. */
export interface Machine {
  readonly name: string;
  readonly folder: string;
  /** Starts the program. A program that runs is left alone. */
  start(): void;
  /** Ends the program by SIGKILL, as a power cut does. */
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Asks the program to end, and waits. */
  end(): Promise<void>;
  /** Resolves with the exit code when the program has ended. */
  exited(): Promise<number | null>;
  /** What the program has printed so far, over all its starts. */
  readonly output: string;
  readonly isRunning: boolean;
  /** Files in the temporary folder. */
  leftovers(): string[];
}

/** Creates a machine with the environment entry `QUEUE_TEST=tag`, by which its processes are found. */
export function createMachine(
  name: string,
  parent: string,
  program: string,
  args: (folder: string) => readonly string[],
  tag: string,
): Machine {
  const folder = join(parent, name);
  for (const part of ['home', 'tmp', 'cache', 'state'])
    mkdirSync(join(folder, part), { recursive: true });
  const env = {
    ...process.env,
    HOME: join(folder, 'home'),
    TMPDIR: join(folder, 'tmp'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_STATE_HOME: join(folder, 'state'),
    QUEUE_TEST: tag,
  };
  let child: ChildProcess | undefined;
  let exit: Promise<number | null> = Promise.resolve(null);
  let output = '';
  const collect = (chunk: Buffer): void => {
    output += String(chunk);
  };
  return {
    name,
    folder,
    start: () => {
      if (child !== undefined) return;
      const started = spawn(process.execPath, [join(PROGRAMS, program), ...args(folder)], {
        env,
        cwd: folder,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      started.stdin.on('error', () => {});
      started.stdout.on('data', collect);
      started.stderr.on('data', collect);
      child = started;
      exit = once(started, 'exit').then(([code]) => {
        if (child === started) child = undefined;
        return code;
      });
    },
    kill: async () => {
      child?.kill('SIGKILL');
      await exit;
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    end: async () => {
      child?.kill('SIGTERM');
      await exit;
    },
    exited: () => exit,
    get output() {
      return output;
    },
    get isRunning() {
      return child !== undefined;
    },
    leftovers: () => readdirSync(join(folder, 'tmp')),
  };
}
