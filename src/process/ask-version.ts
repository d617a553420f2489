import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { CliLocation } from './find-cli.js';
import { ProcessFamily, RUN_MARKER } from './process-family.js';
import { forgetRun, watchRun } from './reaper.js';
import { createRunDirectory, type RunDirectory } from './run-directory.js';
import { spawnCli } from './spawn-cli.js';
import { terminateFamily } from './terminate-family.js';
import { settlesWithin } from './timing.js';

/** A version is a help, not a need: it is worth no longer wait. */
const VERSION_TIMEOUT_MS = 5_000;
const VERSION = /\d+\.\d+\.\d+[\w.+-]*/;

export interface VersionAnswer {
  readonly version: string | undefined;
  /** False where the program could not be heard out: another time it may be. */
  readonly isFinal: boolean;
}

/** What `gemini --version` says. Never rejects, takes a bounded time, and leaves no process behind. */
export async function askVersion(
  cli: CliLocation,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<VersionAnswer> {
  let directory: RunDirectory | undefined;
  try {
    directory = await createRunDirectory();
    return await ask(cli, env, signal, directory);
  } catch {
    // No place for its output: the run itself will meet the same problem, and name it.
    return { version: undefined, isFinal: false };
  } finally {
    await directory?.remove().catch(() => {});
  }
}

async function ask(
  cli: CliLocation,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
  directory: RunDirectory,
): Promise<VersionAnswer> {
  const runId = randomUUID();
  const stdinFile = directory.file('stdin.txt');
  const stdoutFile = directory.file('stdout.txt');
  writeFileSync(stdinFile, '');
  watchRun(runId);
  try {
    const { pid, exited } = spawnCli({
      command: cli.command,
      args: [...cli.args, '--version'],
      cwd: process.cwd(),
      env: { ...env, [RUN_MARKER]: runId },
      stdinFile,
      stdoutFile,
      stderrFile: directory.file('stderr.txt'),
    });
    watchRun(runId, pid);
    const hasExited = await settlesWithin(exited, VERSION_TIMEOUT_MS, signal);
    const family = new ProcessFamily({ runId, rootPid: pid });
    if (!hasExited || family.living().length > 0) await terminateFamily(family);
    const version = VERSION.exec(readFileSync(stdoutFile, 'utf8'))?.[0];
    return { version, isFinal: hasExited || version !== undefined };
  } finally {
    forgetRun(runId);
  }
}
