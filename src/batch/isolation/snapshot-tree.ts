import type { GitDir } from '../../base/git/run-git.js';
import { type BytePath, foldersAbove, joinNames, onDisk, splitNames } from './byte-path.js';
import { readFileIdentity } from './file-identity.js';
import { gitLine, gitOutput, settleAll } from './git-output.js';

/** `tag mode object stage\tpath`. */
const TRACKED = /^(\w) (\d+) \w+ \d\t([\s\S]+)$/;
/** A small letter is a file that git was told to believe unchanged, S one that it does not look at. */
const FLAGGED = /[a-zS]/;
const SUBMODULE = '160000';

export interface TreeSnapshotRequest {
  /** With an index of our own that holds what the working tree was last known to be. */
  readonly git: GitDir & { readonly indexFile: string };
  /** Untracked files that are no part of the workspace. */
  readonly isForeign: (path: BytePath) => boolean;
  /** Files that count although they are ignored, where they are there. */
  readonly extraPaths: readonly BytePath[];
  readonly signal?: AbortSignal | undefined;
}

export interface TreeSnapshot {
  /** The name of a tree in the repository: all tracked files, and all others that are not ignored. */
  readonly tree: string;
  /** Repositories inside of this one that are not part of it. Nothing in them is in the tree. */
  readonly nested: readonly BytePath[];
  readonly submodules: readonly BytePath[];
}

/** Holds the state of a working tree. Of the repository it adds to the objects alone. */
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

/** Adds files as they are, ignored or not, also in the place of a submodule; not those that have gone since. */
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

/** Not behind a link: git refuses those. */
function onlyFiles(folder: string, paths: readonly BytePath[]): BytePath[] {
  return paths.filter((path) => {
    const stats = readFileIdentity(onDisk(folder, path));
    const isBehindLink = foldersAbove(path).some((above) => {
      return readFileIdentity(onDisk(folder, above))?.isSymbolicLink();
    });
    return !isBehindLink && (stats?.isFile() || stats?.isSymbolicLink());
  });
}

/** Gives back the submodules. */
async function addTracked(git: GitDir, signal: AbortSignal | undefined): Promise<BytePath[]> {
  const args = ['ls-files', '--stage', '-v', '-z'];
  const tracked = splitNames(await gitOutput(git, args, { signal })).flatMap((line) => {
    const [, tag = '', mode, path] = TRACKED.exec(line) ?? [];
    return path === undefined ? [] : { tag, mode, path };
  });
  const flagged = tracked.filter(({ tag, path }) => {
    return FLAGGED.test(tag) && readFileIdentity(onDisk(git.folder, path)) !== undefined;
  });
  await lookAtThem(
    git,
    flagged.map(({ path }) => path),
    signal,
  );
  await gitOutput(git, ['add', '--update'], { signal });
  return tracked.filter(({ mode }) => mode === SUBMODULE).map(({ path }) => path);
}

/** Takes back, in our index, what people tell git so that it overlooks their own changes of a file. */
async function lookAtThem(
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
