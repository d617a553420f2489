import { relative, resolve, sep } from 'node:path';
import { listFiles } from '../../base/fs/list-files.js';
import { readFolder } from '../../base/fs/read-folder.js';
import type { GitDir } from '../../base/git/run-git.js';
import {
  type BytePath,
  describePath,
  isAtOrBelow,
  onDisk,
  splitNames,
  toBytePath,
} from './byte-path.js';
import { copyIndex } from './copy-index.js';
import { readStats } from './file-identity.js';
import { gitLine, gitOutput, settleAll } from './git-output.js';
import { readStatus } from './git-status.js';
import type { GitBase, StepChange } from './step-changes.js';
import { readEntry } from './tree-entry.js';
import { toTreePaths } from './tree-paths.js';
import { updateIndex } from './update-index.js';
import { baseIndex, type WorktreeState } from './worktree-state.js';

/** Line of `git ls-files --stage`: `mode object stage\tpath`. */
const STAGED = /^(\d+ \w+) 0\t([\s\S]+)$/;

export interface CollectedWorktree {
  readonly changes: readonly StepChange[];
  readonly notes: readonly string[];
  readonly git: GitBase;
}

/**
 * Finds the changes of a step in its worktree. Does not depend on the index, HEAD or `.git` of the worktree, which the
 * step may change.
 */
export async function collectWorktree(
  state: WorktreeState,
  extraPaths: readonly string[],
): Promise<CollectedWorktree> {
  const { repository, home, linked, base } = state;
  const folder = home.tree;
  const git = { folder, gitDir: repository.gitDir, indexFile: `${home.folder}${sep}index.step` };
  copyIndex(baseIndex(home), git.indexFile);
  const isLinked = (path: BytePath): boolean => linked.some((at) => isAtOrBelow(at.path, path));
  const dir = resolve(folder, repository.prefix);
  const named = toTreePaths(folder, dir, extraPaths).filter((path) => !isLinked(path));
  const [status, expected] = await settleAll([
    readStatus(git),
    writeExpected({ ...git, indexFile: `${git.indexFile}.named` }, state, named),
  ]);
  const changes = new Map<BytePath, StepChange>();
  const add = (path: BytePath, before?: string): void => {
    const there = readEntry(folder, path);
    const isFile = there?.isFile() || there?.isSymbolicLink();
    // A FIFO, socket or device in the place of a file counts as its removal.
    if (isFile) changes.set(path, { path, before, source: onDisk(folder, path) });
    else if (before !== undefined) changes.set(path, { path, before });
  };
  for (const { path, before, isSubmodule } of status.changed) if (!isSubmodule) add(path, before);
  for (const path of status.untracked) if (!isLinked(path)) add(path);
  // Git does not look into repositories that the step has created.
  const nested = status.nested.filter((path) => !isLinked(path));
  for (const path of nested) for (const file of await listHidden(folder, path)) add(file);
  const filled = state.submodules.filter((path) => hasFiles(folder, path));
  for (const path of filled) for (const file of await listHidden(folder, path)) add(file);
  await addNamed(git, named, changes, add);
  const paths = [...changes.values()].filter(({ isConverted }) => !isConverted);
  const theirs = await writeTheirs(
    git,
    base.tree,
    paths.map(({ path }) => path),
    expected,
  );
  markConverted(changes, theirs.differing, new Set(named));
  const sorted = [...changes.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const touched = status.changed.filter(({ isSubmodule }) => isSubmodule).map(({ path }) => path);
  return {
    changes: sorted,
    notes: nested.map((path) => {
      return `Repository ${describePath(path)} was created by the step: its files are merged, its history is not`;
    }),
    git: {
      gitDir: repository.gitDir,
      commonDir: repository.commonDir,
      prefix: repository.prefix,
      trustModes: repository.trustModes,
      commit: base.commit,
      tree: base.tree,
      submodules: [...new Set([...touched, ...filled])].sort(),
      theirs: theirs.tree,
    },
  };
}

/**
 * Adds files of the manifest that git does not report: ignored files, and files whose content is the same for git, such
 * as other line ends under `core.autocrlf`.
 */
async function addNamed(
  git: GitDir,
  named: readonly BytePath[],
  changes: Map<BytePath, StepChange>,
  add: (path: BytePath) => void,
): Promise<void> {
  const missing = new Set(named.filter((path) => !changes.has(path)));
  if (missing.size === 0) return;
  const tracked = new Map<BytePath, string>();
  for (const line of splitNames(await gitOutput(git, ['ls-files', '--stage', '-z']))) {
    const [, before = '', path = ''] = STAGED.exec(line) ?? [];
    if (missing.has(path)) tracked.set(path, before);
  }
  for (const path of missing) {
    const before = tracked.get(path);
    if (before === undefined) add(path);
    else if (readEntry(git.folder, path)?.isFile()) {
      changes.set(path, { path, before, isConverted: true, source: onDisk(git.folder, path) });
    }
  }
}

interface TheirTree {
  /** Changed paths in the tree. */
  readonly paths: ReadonlySet<BytePath>;
  readonly tree: string;
  /** Paths that differ from the base for git. */
  readonly differing: ReadonlySet<BytePath>;
}

/**
 * Writes the tree with the files of the manifest while git looks for changes: mostly they are all changes of the step, and
 * no further call is needed. Undefined if git refuses one of the files.
 */
async function writeExpected(
  git: GitDir & { readonly indexFile: string },
  { home, base }: WorktreeState,
  named: readonly BytePath[],
): Promise<TheirTree | undefined> {
  if (named.length === 0) return undefined;
  copyIndex(baseIndex(home), git.indexFile);
  return writeTheirs(git, base.tree, named).catch(() => undefined);
}

/** Writes the tree with the changes of the step, for a three-way merge and for patches. */
async function writeTheirs(
  git: GitDir,
  baseTree: string,
  changed: readonly BytePath[],
  expected?: TheirTree,
): Promise<TheirTree> {
  const paths = new Set(changed);
  if (paths.size === 0) return { paths, tree: baseTree, differing: new Set() };
  const isExpected = (path: BytePath): boolean => expected?.paths.has(path) === true;
  if (expected?.paths.size === paths.size && changed.every(isExpected)) return expected;
  await updateIndex(git, changed);
  const differences = ['diff-index', '--cached', '--name-only', '--no-renames', '-z', baseTree];
  const [tree, names] = await settleAll([
    gitLine(git, ['write-tree']),
    gitOutput(git, differences),
  ]);
  return { paths, tree, differing: new Set(splitNames(names)) };
}

/**
 * Finds changed files whose content is the same for git: `git status` reports them if their size differs. They count only
 * if the manifest names them: a checkout may also differ from the original by itself.
 */
function markConverted(
  changes: Map<BytePath, StepChange>,
  differing: ReadonlySet<BytePath>,
  named: ReadonlySet<BytePath>,
): void {
  for (const [path, change] of changes) {
    if (differing.has(path) || change.isConverted) continue;
    if (named.has(path) && change.before !== undefined && change.source !== undefined) {
      changes.set(path, { ...change, isConverted: true });
    } else changes.delete(path);
  }
}

function hasFiles(folder: string, path: BytePath): boolean {
  const absolute = onDisk(folder, path).toString();
  return readStats(absolute)?.isDirectory() === true && readFolder(absolute).length > 0;
}

async function listHidden(folder: string, path: BytePath): Promise<BytePath[]> {
  const absolute = onDisk(folder, path).toString();
  const files = await listFiles(absolute, ['.gitignore'], { rulesFrom: absolute });
  return files.map((file) => toBytePath(relative(folder, file)));
}
