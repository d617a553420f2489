import { randomBytes } from 'node:crypto';
import { existsSync, readlinkSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { askGit, type GitDir } from '../../base/git/run-git.js';
import {
  type BytePath,
  describePath,
  joinNames,
  onDisk,
  splitNames,
} from '../../batch/isolation/byte-path.js';
import { copyIndex } from '../../batch/isolation/copy-index.js';
import { gitLine, gitOutput, settleAll } from '../../batch/isolation/git-output.js';
import { readStatus } from '../../batch/isolation/git-status.js';
import { readEntry } from '../../batch/isolation/tree-entry.js';
import { updateIndex } from '../../batch/isolation/update-index.js';
import { createForeignCheck } from '../../batch/isolation/worktree-state.js';
import type { CallerRepository, ShippedFolder } from './caller-repository.js';
import { checkFileSizes, checkShipLimit, type ResolvedShipLimits } from './check-limit.js';
import { findIncluded } from './included-files.js';
import { canSeedIndex } from './seed-index.js';
import { findEscapingLinks, isGitName, LINK_MODE } from './tree-check.js';

/** Line of `git ls-files --stage -v`: `tag mode object stage\tpath`. */
const STAGED = /^(\w) (\d+) [0-9a-f]+ \d\t([\s\S]+)$/;
const SUBMODULE_MODE = '160000';
/** Tags of files that git does not check: a small letter for assume-unchanged, S for skip-worktree. */
const FLAGGED = /[a-zS]/;
const LISTED = ['ls-files', '--stage', '-v', '-z'];
const IGNORED = ['ls-files', '--cached', '--ignored', '--exclude-standard', '-z'];

export interface SnapshotRequest {
  readonly shipped: ShippedFolder;
  readonly caller: CallerRepository;
  readonly stateDir: string;
  readonly include: readonly string[];
  readonly limits: ResolvedShipLimits;
  readonly signal?: AbortSignal | undefined;
}

export interface FolderSnapshot {
  readonly tree: string;
  /** Messages about entries that do not travel. */
  readonly notes: readonly string[];
}

type OwnIndex = GitDir & { readonly indexFile: string };

/**
 * Writes the present state of a folder as a tree: tracked and untracked files byte by byte, without ignored files that
 * `include` does not name. Uses an index of its own, so that git reads only files that have changed since the last call.
 */
export async function snapshotFolder(request: SnapshotRequest): Promise<FolderSnapshot> {
  const { shipped, caller, signal } = request;
  const indexFile = `${caller.indexFile}.${randomBytes(6).toString('hex')}`;
  const git = { folder: shipped.root, gitDir: caller.gitDir, indexFile };
  try {
    await openIndex(request, git);
    const notes = await stageFolder(request, git);
    const [tree, listed] = await settleAll([
      gitLine(git, ['write-tree'], { signal }),
      gitOutput(git, LISTED, { signal }).then(splitNames),
    ]);
    checkShipLimit(request.limits, 'maxFiles', listed.length, shipped.root);
    const more = await removeUnshipped(request, git, listed);
    const written = more.length === 0 ? tree : await gitLine(git, ['write-tree'], { signal });
    renameSync(indexFile, caller.indexFile);
    return { tree: written, notes: [...notes, ...more] };
  } finally {
    rmSync(indexFile, { force: true });
    rmSync(`${indexFile}.lock`, { force: true });
  }
}

/** Begins with the last state of the folder, else with the user's index if its objects have the bytes of the files. */
async function openIndex(
  { shipped, caller, signal }: SnapshotRequest,
  git: OwnIndex,
): Promise<void> {
  copyIndex(caller.indexFile, git.indexFile);
  const { repository } = shipped;
  if (existsSync(git.indexFile) || repository === undefined) return;
  if (!(await canSeedIndex(repository, signal))) return;
  copyIndex(join(repository.gitDir, 'index'), git.indexFile);
  const listed = await askGit(git, LISTED, { signal });
  const flagged = splitNames(listed.stdout).flatMap((line) => {
    const [, tag = '', , path = ''] = STAGED.exec(line) ?? [];
    return FLAGGED.test(tag) ? path : [];
  });
  const stdin = joinNames([...new Set(flagged)]);
  let isUsable = listed.exitCode === 0;
  for (const flag of flagged.length === 0 ? [] : ['--no-assume-unchanged', '--no-skip-worktree']) {
    const args = ['update-index', flag, '-z', '--stdin'];
    isUsable &&= (await askGit(git, args, { stdin, signal })).exitCode === 0;
  }
  // A split index, or one with a conflict: the files are read instead.
  if (!isUsable) rmSync(git.indexFile, { force: true });
}

async function stageFolder(request: SnapshotRequest, git: OwnIndex): Promise<string[]> {
  const { shipped, stateDir, include, limits, signal } = request;
  const { root, prefix, repository } = shipped;
  const dir = join(root, prefix);
  const user = repository && { folder: root, gitDir: repository.gitDir };
  const [included, tracked, ignored, status] = await settleAll([
    include.length === 0 ? [] : findIncluded(root, dir, include, signal),
    user === undefined ? [] : gitOutput(user, IGNORED, { signal }).then(splitNames),
    gitOutput(git, IGNORED, { signal }).then(splitNames),
    readStatus(git, signal, { isRefreshing: true }),
  ]);
  const isForeign = createForeignCheck(root, stateDir);
  const forced = new Set([...included, ...tracked].filter((path) => isFile(root, path)));
  const dropped = new Set(ignored.filter((path) => !forced.has(path)));
  const added = [...status.untracked, ...forced].filter((path) => !isForeign(path));
  const refused = new Set(added.filter((path) => path.split('/').some(isGitName)));
  const changed = status.changed
    .filter(({ path, isSubmodule }) => !isSubmodule && !dropped.has(path))
    .map(({ path }) => path);
  const paths = [...changed, ...added.filter((path) => !refused.has(path))];
  const sizes = paths.map((path) => {
    return { name: describePath(path), bytes: Number(readEntry(root, path)?.size ?? 0n) };
  });
  checkFileSizes(limits, 'maxUploadBytes', sizes, root);
  checkShipLimit(limits, 'maxFiles', paths.length, root);
  await forceRemove(git, [...dropped], signal);
  await updateIndex(git, paths, signal);
  return [
    ...status.nested.map((path) => `Nested repository ${describePath(path)} did not travel`),
    ...[...refused].map(
      (path) => `File ${describePath(path)} did not travel: git refuses its name`,
    ),
  ];
}

/** Takes submodules and links that lead out of the folder out of the index. */
async function removeUnshipped(
  { shipped, signal }: SnapshotRequest,
  git: OwnIndex,
  listed: readonly string[],
): Promise<string[]> {
  const { root } = shipped;
  const links = new Map<BytePath, string>();
  const submodules: BytePath[] = [];
  for (const line of listed) {
    const [, , mode, path = ''] = STAGED.exec(line) ?? [];
    if (mode === SUBMODULE_MODE) submodules.push(path);
    if (mode === LINK_MODE) links.set(path, readlinkSync(onDisk(root, path), 'latin1'));
  }
  const escaping = findEscapingLinks(links);
  await forceRemove(git, [...submodules, ...escaping], signal);
  return [
    ...submodules.map((path) => `Submodule ${describePath(path)} did not travel`),
    ...escaping.map((path) => `Link ${describePath(path)} did not travel: it leads out of ${root}`),
  ];
}

async function forceRemove(
  git: GitDir,
  paths: readonly BytePath[],
  signal: AbortSignal | undefined,
): Promise<void> {
  if (paths.length === 0) return;
  const args = ['update-index', '--force-remove', '-z', '--stdin'];
  await gitOutput(git, args, { stdin: joinNames(paths), signal });
}

function isFile(root: string, path: BytePath): boolean {
  const stats = readEntry(root, path);
  return stats?.isFile() === true || stats?.isSymbolicLink() === true;
}
