import type { GitDir } from '../../base/git/run-git.js';
import { type BytePath, joinNames, onDisk, splitNames } from './byte-path.js';
import { readStats } from './file-identity.js';
import { gitLine, gitOutput, settleAll } from './git-output.js';
import { readEntry } from './tree-entry.js';

/** Line of `git ls-files --stage -v`: `tag mode object stage\tpath`. */
const TRACKED = /^(\w) (\d+) \w+ \d\t([\s\S]+)$/;
/** Tags of files that git does not check: a small letter for assume-unchanged, S for skip-worktree. */
const FLAGGED = /[a-zS]/;
const SUBMODULE = '160000';

export interface TreeSnapshotRequest {
  /** Git folder with a separate index that has the last known state of the working tree. */
  readonly git: GitDir & { readonly indexFile: string };
  /** True for untracked files that are not part of the workspace. */
  readonly isForeign: (path: BytePath) => boolean;
  /** Ignored files that are added too, if they exist. */
  readonly extraPaths: readonly BytePath[];
  readonly signal?: AbortSignal | undefined;
}

export interface TreeSnapshot {
  /** Name of the tree object with all tracked files and all untracked files that are not ignored. */
  readonly tree: string;
  /** Nested repositories that are not submodules. Their files are not in the tree. */
  readonly nested: readonly BytePath[];
  readonly submodules: readonly BytePath[];
}

/** Writes the state of a working tree as a tree object. Only adds objects to the repository. */
export async function snapshotTree(request: TreeSnapshotRequest): Promise<TreeSnapshot> {
  const { git, isForeign, signal } = request;
  const list = ['ls-files', '--others', '--exclude-standard', '-z'];
  const [untracked, submodules] = await settleAll([
    gitOutput(git, list, { signal }),
    addTracked(git, signal),
  ]);
  const others = splitNames(untracked);
  const files = others.filter((path) => !path.endsWith('/') && !isForeign(path));
  await addFiles(git, [...files, ...onlyFiles(git.folder, request.extraPaths)], signal);
  return {
    tree: await gitLine(git, ['write-tree'], { signal }),
    nested: others.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1)),
    submodules,
  };
}

/**
 * Adds files to the index, also ignored ones and those that replace a submodule. Removed files drop out of the index.
 */
export async function addFiles(
  git: GitDir,
  paths: readonly BytePath[],
  signal?: AbortSignal,
): Promise<void> {
  if (paths.length === 0) return;
  const stdin = joinNames(paths);
  const args = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'];
  await gitOutput(git, args, { stdin, signal });
}

/** Keeps existing files and links. Drops paths behind a linked folder, because git refuses them. */
function onlyFiles(folder: string, paths: readonly BytePath[]): BytePath[] {
  return paths.filter((path) => {
    const stats = readEntry(folder, path);
    return stats?.isFile() || stats?.isSymbolicLink();
  });
}

/** Adds the changes of all tracked files to the index. Returns the submodules. */
async function addTracked(git: GitDir, signal: AbortSignal | undefined): Promise<BytePath[]> {
  const args = ['ls-files', '--stage', '-v', '-z'];
  const tracked = splitNames(await gitOutput(git, args, { signal })).flatMap((line) => {
    const [, tag = '', mode, path] = TRACKED.exec(line) ?? [];
    return path === undefined ? [] : { tag, mode, path };
  });
  const flagged = tracked.filter(({ tag, path }) => {
    return FLAGGED.test(tag) && readStats(onDisk(git.folder, path)) !== undefined;
  });
  await clearFlags(
    git,
    flagged.map(({ path }) => path),
    signal,
  );
  try {
    await gitOutput(git, ['add', '--update'], { signal });
  } catch (error) {
    const special = tracked.filter(({ path }) => isSpecial(git.folder, path));
    if (special.length === 0) throw error;
    await removeFromIndex(
      git,
      special.map(({ path }) => path),
      signal,
    );
    await gitOutput(git, ['add', '--update'], { signal });
  }
  return tracked.filter(({ mode }) => mode === SUBMODULE).map(({ path }) => path);
}

/** True for a FIFO, socket or device in the place of a tracked file. Git refuses to add it, and with it all files. */
function isSpecial(folder: string, path: BytePath): boolean {
  const stats = readEntry(folder, path);
  if (stats === undefined || stats.isDirectory()) return false;
  return !stats.isFile() && !stats.isSymbolicLink();
}

async function removeFromIndex(
  git: GitDir,
  paths: readonly BytePath[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const args = ['update-index', '--force-remove', '-z', '--stdin'];
  await gitOutput(git, args, { stdin: joinNames(paths), signal });
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
