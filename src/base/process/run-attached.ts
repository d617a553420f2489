import { execa } from 'execa';
import type { Environment } from './environment.js';

export interface AttachedExit {
  readonly exitCode: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  /** Why the program could not be started, such as ENOENT. */
  readonly spawnErrno: string | undefined;
}

export interface AttachedProgram {
  kill(signal: NodeJS.Signals): void;
  readonly exit: Promise<AttachedExit>;
}

/** Starts a program on the terminal of this process: it has the same stdin, stdout and stderr. */
export function runAttached(
  file: string,
  args: readonly string[],
  env: Environment,
): AttachedProgram {
  const program = execa(file, args, {
    stdio: 'inherit',
    env: { ...env },
    extendEnv: false,
    reject: false,
    forceKillAfterDelay: false,
  });
  const exit = program.then(({ exitCode, signal, code }) => ({
    exitCode,
    signal,
    spawnErrno: exitCode === undefined && signal === undefined ? (code ?? 'unknown') : undefined,
  }));
  return { kill: (signal) => void program.kill(signal), exit };
}
