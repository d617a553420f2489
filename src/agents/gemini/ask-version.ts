import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readBeginning } from '../../base/fs/read-beginning.js';
import { statIfThere } from '../../base/fs/stats.js';
import { killProcessTree } from '../../base/process/kill-process-tree.js';
import {
  createPrivateDirectory,
  type PrivateDirectory,
} from '../../base/process/private-directory.js';
import { PROCESS_TAG_VARIABLE, ProcessTree } from '../../base/process/process-tree.js';
import { forgetProcesses, watchProcesses } from '../../base/process/reaper.js';
import { spawnWithFiles } from '../../base/process/spawn-with-files.js';
import { settlesWithin } from '../../base/process/timing.js';
import type { CliLocation } from './find-cli.js';

/** Short, because a step also works without a known version. */
const VERSION_TIMEOUT_MS = 5_000;
const POLL_MS = 100;
/** The answer is one line, but some wrapper scripts print a greeting before it. */
const LONGEST_ANSWER_BYTES = 64 * 1024;
/** A program that prints more than this is stopped: it may never end. */
const MOST_OUTPUT_BYTES = 1024 * 1024;
const VERSION = /\d+\.\d+\.\d+[\w.+-]*/;

export interface VersionAnswer {
  readonly version: string | undefined;
  /** False if the program was stopped before it answered: the next call asks again. */
  readonly isFinal: boolean;
}

/** Runs `gemini --version`. Never rejects, takes a bounded time, and leaves no process behind. */
export async function askVersion(
  cli: CliLocation,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<VersionAnswer> {
  let directory: PrivateDirectory | undefined;
  try {
    directory = await createPrivateDirectory();
    return await ask(cli, env, signal, directory);
  } catch {
    // The temp folder cannot be used. The step itself fails for the same reason and reports it.
    return { version: undefined, isFinal: false };
  } finally {
    await directory?.remove().catch(() => {});
  }
}

async function ask(
  cli: CliLocation,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
  directory: PrivateDirectory,
): Promise<VersionAnswer> {
  const tag = randomUUID();
  const stdinFile = directory.file('stdin.txt');
  const stdoutFile = directory.file('stdout.txt');
  const stderrFile = directory.file('stderr.txt');
  writeFileSync(stdinFile, '');
  watchProcesses(tag);
  try {
    const { pid, exited } = spawnWithFiles({
      command: cli.command,
      args: [...cli.args, '--version'],
      cwd: process.cwd(),
      env: { ...env, [PROCESS_TAG_VARIABLE]: tag },
      stdinFile,
      stdoutFile,
      stderrFile,
    });
    watchProcesses(tag, pid);
    const hasExited = await waitForAnswer(exited, [stdoutFile, stderrFile], signal);
    const tree = new ProcessTree({ tag, rootPid: pid });
    if (!hasExited || tree.living().length > 0) await killProcessTree(tree);
    const version = VERSION.exec(readBeginning(stdoutFile, LONGEST_ANSWER_BYTES).toString())?.[0];
    return { version, isFinal: hasExited || version !== undefined };
  } finally {
    forgetProcesses(tag);
  }
}

/** Returns true if the program exits; false if it takes too long or prints more than MOST_OUTPUT_BYTES. */
async function waitForAnswer(
  exited: Promise<unknown>,
  files: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  let isFlood = false;
  let poll: NodeJS.Timeout | undefined;
  const flooded = new Promise<void>((resolve) => {
    poll = setInterval(() => {
      isFlood = files.some((path) => (statIfThere(path)?.size ?? 0) > MOST_OUTPUT_BYTES);
      if (isFlood) resolve();
    }, POLL_MS);
  });
  const hasEnded = await settlesWithin(Promise.race([exited, flooded]), VERSION_TIMEOUT_MS, signal);
  clearInterval(poll);
  return hasEnded && !isFlood;
}
