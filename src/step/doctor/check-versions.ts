import type { Finding } from '../../api/diagnosis.js';
import { readPackageVersion } from '../../base/fs/package-version.js';
import { captureCommand } from '../../base/process/capture-command.js';
import { note, ok } from './finding.js';

const ASK_MS = 5_000;

/** Reports the versions of this package and of the programs that it uses beside the CLI. */
export async function checkVersions(): Promise<Finding[]> {
  const [git, prlimit] = await Promise.all([askVersion('git'), askVersion('prlimit')]);
  return [
    ok('gemini-cli-provider', readPackageVersion()),
    ok('Node', process.version),
    git === undefined
      ? note(
          'git',
          'Not found',
          'Install git: `isolation: worktree` and `commit` of batches need it.',
        )
      : ok('git', git),
    ...(process.platform === 'linux' ? [describeLimits(prlimit)] : []),
  ];
}

function describeLimits(version: string | undefined): Finding {
  if (version !== undefined) return ok('prlimit', version);
  const fix =
    'Install util-linux: a daemon that hides from its step is then found by its resource limit.';
  return note('prlimit', 'Not found', fix);
}

/** Asks a program for its version: `git version 2.39.5` is `2.39.5`. Undefined if the program does not answer. */
async function askVersion(command: string): Promise<string | undefined> {
  const { exitCode, stdout } = await captureCommand({
    command,
    args: ['--version'],
    timeoutMs: ASK_MS,
  });
  if (exitCode !== 0) return undefined;
  const line = stdout.toString().split('\n', 1)[0] ?? '';
  return /\d+(?:\.\d+)+/.exec(line)?.[0] ?? line;
}
