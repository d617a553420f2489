import type { GitDir } from '../../base/git/run-git.js';
import { type BytePath, joinNames, onDisk, splitNames } from './byte-path.js';
import { readStats } from './file-identity.js';
import { gitOutput, settleAll } from './git-output.js';
import { readStatus } from './git-status.js';
import { updateIndex } from './update-index.js';

/** Line of `git ls-files --stage -v`: `tag mode object stage\tpath`. */
const TRACKED = /^(\w) (\d+) \w+ \d\t([\s\S]+)$/;
/** Tags of files that git does not check: a small letter for assume-unchanged, S for skip-worktree. */
const FLAGGED = /[a-zS]/;
const SUBMODULE = '160000';

export interface StageTreeRequest {
  /** Git folder with a separate index that has the last known state of the working tree. */
  readonly git: GitDir & { readonly indexFile: string };
  /** True for untracked files that are not part of the workspace. */
  readonly isForeign: (path: BytePath) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** State of a working tree in a separate index. */
export interface StagedTree {
  /** Nested repositories that are not submodules. Their files are not in the tree. */
  readonly nested: readonly BytePath[];
  readonly submodules: readonly BytePath[];
}

/**
 * Brings the separate index up to date with the working tree: it then has all tracked files and all untracked files that
 * are not ignored. Only adds objects to the repository.
 */
export async function stageTree(request: StageTreeRequest): Promise<StagedTree> {
  const { git, isForeign, signal } = request;
  const [listed, { changed, untracked, nested }] = await settleAll([
    gitOutput(git, ['ls-files', '--stage', '-v', '-z'], { signal }),
    readStatus(git, signal),
  ]);
  const tracked = splitNames(listed).flatMap((line) => {
    const [, tag = '', mode, path] = TRACKED.exec(line) ?? [];
    return path === undefined ? [] : { tag, mode, path };
  });
  const flagged = tracked
    .filter(({ tag, path }) => {
      return FLAGGED.test(tag) && readStats(onDisk(git.folder, path)) !== undefined;
    })
    .map(({ path }) => path);
  await clearFlags(git, flagged, signal);
  const files = untracked.filter((path) => !isForeign(path));
  await updateIndex(git, [...changed.map(({ path }) => path), ...flagged, ...files], signal);
  return {
    nested,
    submodules: tracked.filter(({ mode }) => mode === SUBMODULE).map(({ path }) => path),
  };
}

/**
 * Clears assume-unchanged and skip-worktree in the separate index, so that git also adds the changes of these files.
 */
async function clearFlags(
  git: GitDir,
  paths: readonly BytePath[],
  signal: AbortSignal | undefined,
): Promise<void> {
  if (paths.length === 0) return;
  const stdin = joinNames(paths);
  for (const flag of ['--no-assume-unchanged', '--no-skip-worktree']) {
    await gitOutput(git, ['update-index', flag, '-z', '--stdin'], { stdin, signal });
  }
}
