import { devNull } from 'node:os';
import { readEnvironment } from '../process/environment.js';
import { type CommandOutput, captureCommand } from '../process/run-command.js';
import { buildGitEnvironment } from './git-environment.js';

const GIT_TIMEOUT_MS = 60_000;

/** No helper, hook or clean-up of the repository's choosing, and the same behaviour whatever the person has set. */
const SETTINGS = [
  'core.fsmonitor=false',
  `core.hooksPath=${devNull}`,
  'core.quotePath=false',
  'core.splitIndex=false',
  // Would refuse a file whose line ends do not survive; here they need not.
  'core.safecrlf=false',
  // A file that was changed within the second in which it was looked at must not pass for unchanged.
  'core.checkStat=default',
  'core.trustctime=true',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
].flatMap((setting) => ['-c', setting]);

/** Where git works. */
export interface GitDir {
  readonly folder: string;
  /** With it, `folder` is the top of the working tree, and git looks for no repository of its own. */
  readonly gitDir?: string | undefined;
  /** In place of the repository's own index, which then is not touched. */
  readonly indexFile?: string | undefined;
}

export interface GitOptions {
  readonly stdin?: Buffer | undefined;
  /** More settings, each `name=value`. */
  readonly settings?: readonly string[] | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Runs git without a shell. Nothing is thrown: the exit code of git is often the answer. */
export function askGit(
  place: GitDir,
  args: readonly string[],
  options: GitOptions = {},
): Promise<CommandOutput> {
  const { folder, gitDir, indexFile } = place;
  const settings = (options.settings ?? []).flatMap((setting) => ['-c', setting]);
  return captureCommand({
    command: 'git',
    args: ['-C', folder, ...SETTINGS, ...settings, ...args],
    env: {
      ...buildGitEnvironment(readEnvironment()),
      ...(gitDir === undefined ? {} : { GIT_DIR: gitDir, GIT_WORK_TREE: folder }),
      ...(indexFile === undefined ? {} : { GIT_INDEX_FILE: indexFile }),
    },
    inheritEnv: false,
    stdin: options.stdin,
    timeoutMs: options.timeoutMs ?? GIT_TIMEOUT_MS,
    signal: options.signal,
  });
}
