import { join, relative, resolve } from 'node:path';
import { ProviderError } from '../../base/errors/provider-error.js';
import { realpathOf } from '../../base/fs/paths.js';
import { askGit } from '../../base/git/run-git.js';
import type { CommandOutput } from '../../base/process/capture-command.js';
import { readEnvironment } from '../../base/process/environment.js';
import { cancelled, describeRefusal, gitMissing } from './git-output.js';

/** First version of git with `git merge-tree --write-tree`, which merges without a working tree. */
const OLDEST = { major: 2, minor: 38 };
const PATHS = ['--show-toplevel', '--absolute-git-dir', '--git-common-dir'];

export interface Repository {
  /** Top folder of the user's working tree. */
  readonly top: string;
  /** Git folder of this working tree. In a worktree it differs from `commonDir`, the folder of the repository. */
  readonly gitDir: string;
  readonly commonDir: string;
  /** Working directory, relative to `top`. */
  readonly prefix: string;
  /** True if git compares the execute bit (`core.fileMode`). */
  readonly trustModes: boolean;
}

/** Reads the repository of a folder. Throws an error with the reason if it cannot be used for a worktree. */
export async function openRepository(
  workspaceDir: string,
  signal?: AbortSignal,
): Promise<Repository> {
  const repository = await readRepository(realpathOf(workspaceDir), signal);
  await refuseIgnored(repository, signal);
  return repository;
}

/** Throws if the repository ignores the working directory. */
export async function refuseIgnored(
  { top, prefix }: Repository,
  signal?: AbortSignal,
): Promise<void> {
  if (prefix === '') return;
  const folder = join(top, prefix);
  const answer = await askGit({ folder }, ['check-ignore', '-q', '--', '.'], { signal });
  if (answer.exitCode === 0) throw ignored(folder);
}

/** Reads the commit of HEAD; undefined before the first commit. */
export async function readHeadCommit(
  { top, gitDir }: Repository,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'];
  const answer = await askGit({ folder: top, gitDir }, args, { signal });
  if (signal?.aborted) throw cancelled();
  return answer.exitCode === 0 ? lineOf(answer) : undefined;
}

/** Like `openRepository`, for the real path of a folder that the repository may ignore. */
export async function readRepository(folder: string, signal?: AbortSignal): Promise<Repository> {
  const ask = (...args: string[]): Promise<CommandOutput> => askGit({ folder }, args, { signal });
  const [version, paths, modes] = await Promise.all([
    readVersion(() => ask('version')),
    ask('rev-parse', '--path-format=absolute', ...PATHS),
    ask('config', '--type=bool', '--get', 'core.fileMode'),
  ]);
  if (signal?.aborted) throw cancelled();
  checkVersion(version);
  if (paths.exitCode !== 0) throw explainRefusal(folder, paths);
  let lines = lineOf(paths).split('\n');
  if (lines.length !== PATHS.length) {
    // A path contains line ends: ask for each path separately.
    lines = (await Promise.all(PATHS.map((path) => ask('rev-parse', path)))).map(lineOf);
  }
  const [top = '', gitDir = '', commonDir = ''] = lines;
  return {
    top,
    gitDir,
    commonDir: resolve(folder, commonDir),
    prefix: relative(top, folder),
    trustModes: lineOf(modes) !== 'false',
  };
}

/** Answers of `git version` by PATH: the version does not change while a batch runs. */
const versions = new Map<string, CommandOutput>();

async function readVersion(ask: () => Promise<CommandOutput>): Promise<CommandOutput> {
  const path = readEnvironment()['PATH'] ?? '';
  const answer = versions.get(path) ?? (await ask());
  if (answer.exitCode === 0) versions.set(path, answer);
  return answer;
}

function lineOf({ stdout }: CommandOutput): string {
  return stdout.toString().replace(/\n$/, '');
}

function checkVersion(answer: CommandOutput): void {
  if (answer.exitCode === undefined) throw gitMissing();
  const version = answer.stdout.toString().trim();
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? [];
  const isNewEnough =
    Number(major) > OLDEST.major ||
    (Number(major) === OLDEST.major && Number(minor) >= OLDEST.minor);
  if (isNewEnough) return;
  throw new ProviderError({
    code: 'INVALID_CONFIG',
    message: `The option \`isolation: worktree\` needs git ${OLDEST.major}.${OLDEST.minor} or newer; found "${version}"`,
    hint: 'Update git, or set `isolation: copy`.',
  });
}

function explainRefusal(folder: string, answer: CommandOutput): ProviderError {
  if (answer.stderrTail.includes('dubious ownership')) {
    return new ProviderError({
      code: 'INVALID_CONFIG',
      message: `Repository of ${folder} is not trusted by git, because it belongs to another user`,
      hint: `Run \`git config --global --add safe.directory ${folder}\` (or what git says in \`stderrTail\`), or set \`isolation: copy\`.`,
      stderrTail: answer.stderrTail,
    });
  }
  if (answer.stderrTail.includes('must be run in a work tree')) return noWorkingTree(folder);
  if (!answer.stderrTail.includes('not a git repository')) {
    return describeRefusal(['rev-parse'], answer);
  }
  return new ProviderError({
    code: 'INVALID_CONFIG',
    message: `The option \`isolation: worktree\` needs a git repository, and ${folder} is not in one`,
    hint: 'Set `isolation: copy`, or run `git init` in that folder.',
  });
}

function noWorkingTree(folder: string): ProviderError {
  return new ProviderError({
    code: 'INVALID_CONFIG',
    message: `Folder ${folder} is a bare repository or inside .git: it has no files to isolate`,
    hint: 'Set `workingDir` to a working tree of the repository, or set `isolation: copy`.',
  });
}

function ignored(folder: string): ProviderError {
  return new ProviderError({
    code: 'INVALID_CONFIG',
    message: `Folder ${folder} is ignored by its repository: a worktree would not contain its files`,
    hint: 'Set `isolation: copy`, or remove the folder from .gitignore.',
  });
}
