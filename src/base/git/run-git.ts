import { devNull } from 'node:os';
import { type CommandOutput, captureCommand } from '../process/capture-command.js';
import { readEnvironment } from '../process/environment.js';
import { buildGitEnvironment } from './git-environment.js';

const GIT_TIMEOUT_MS = 60_000;

/** Settings of every call: git runs no helper, hook or clean-up of the repository, and user settings change nothing. */
const SETTINGS = [
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  'core.quotePath=false',
  'core.splitIndex=false',
  // `core.safecrlf=true` would refuse files with mixed line ends. Snapshots accept them.
  'core.safecrlf=false',
  // Compare all stat fields: a file that changes within the second of a scan must not count as unchanged.
  'core.checkStat=default',
  'core.trustctime=true',
  // A signature is checked by a program that the configuration names.
  'log.showSignature=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
].flatMap((setting) => ['-c', setting]);

/** Working tree, repository and index of a git call. */
export interface GitDir {
  readonly folder: string;
  /** Path of the repository. If set, `folder` is the top of the working tree and git searches for no repository. */
  readonly gitDir?: string | undefined;
  /** Index file to use instead of the repository's own index, which then stays unchanged. */
  readonly indexFile?: string | undefined;
}

export interface GitOptions {
  readonly stdin?: Buffer | undefined;
  /** Additional settings, each `name=value`. */
  readonly settings?: readonly string[] | undefined;
  /** Author of commits: this package, or the user, as the user's variables and settings say. Default: `package`. */
  readonly author?: 'package' | 'user' | undefined;
  /** True if git may write what it has learnt about the files to the index, for an index that no other program uses. */
  readonly isRefreshing?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Runs git without a shell. Never throws for an exit code, because the exit code is often the answer. */
export function askGit(
  dir: GitDir,
  args: readonly string[],
  options: GitOptions = {},
): Promise<CommandOutput> {
  const { folder, gitDir, indexFile } = dir;
  const settings = (options.settings ?? []).flatMap((setting) => ['-c', setting]);
  return captureCommand({
    command: 'git',
    args: ['-C', folder, ...SETTINGS, ...settings, ...args],
    env: {
      ...buildGitEnvironment(readEnvironment(), options.author),
      ...(gitDir === undefined ? {} : { GIT_DIR: gitDir, GIT_WORK_TREE: folder }),
      ...(indexFile === undefined ? {} : { GIT_INDEX_FILE: indexFile }),
      ...(options.isRefreshing ? { GIT_OPTIONAL_LOCKS: '1' } : {}),
    },
    inheritEnv: false,
    stdin: options.stdin,
    timeoutMs: options.timeoutMs ?? GIT_TIMEOUT_MS,
    signal: options.signal,
  });
}
