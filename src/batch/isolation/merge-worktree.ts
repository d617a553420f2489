import { mkdirSync } from 'node:fs';
import { sep } from 'node:path';
import { isAtOrBelow, joinNames, onDisk, splitNames, toBytePath } from './byte-path.js';
import type { CheckedChange, TreeChange } from './check-changes.js';
import { hasSameContent, toFileIdentity } from './file-identity.js';
import { gitOutput } from './git-output.js';
import {
  type MergePlan,
  mergeInto,
  NOTHING_TO_MERGE,
  type PathConflict,
  type PathOutcome,
  toConflicts,
} from './merge-stage.js';
import { diffTrees, mergeTrees, type TreeDifference } from './merge-trees.js';
import type { WorktreeSnapshot } from './snapshot-worktree.js';
import { readEntry } from './tree-entry.js';
import { originalGitDir, snapshotOriginal, type WorktreeState } from './worktree-state.js';

/** Merges the changes of a step into the user's working tree: all of them or none. */
export async function mergeWorktree(
  state: WorktreeState,
  theirs: WorktreeSnapshot,
): Promise<PathOutcome> {
  const { repository, base, stateDir, home, id } = state;
  const { top: root, trustModes, prefix } = repository;
  if (theirs.tree === base.tree && theirs.extraPaths.length === 0) return NOTHING_TO_MERGE;
  const made = await diffTrees(theirs.git, base.tree, theirs.tree);
  const foreign = made.filter(({ isSubmodule }) => isSubmodule);
  if (foreign.length > 0) return { conflicts: conflictsAt(foreign, 'repository') };
  const target = { root, stateDir, home, id, trustModes, keptFolder: toBytePath(prefix) };
  return mergeInto(target, (stage) => planMerge(state, theirs, made, stage));
}

function conflictsAt(
  at: readonly TreeDifference[],
  reason: PathConflict['reason'],
): PathConflict[] {
  return toConflicts(
    at.map(({ path }) => path),
    reason,
  );
}

async function planMerge(
  state: WorktreeState,
  theirs: WorktreeSnapshot,
  made: readonly TreeDifference[],
  stage: string,
): Promise<MergePlan | PathConflict[]> {
  const { repository, home, base } = state;
  const git = originalGitDir(repository, home);
  const ours = await snapshotOriginal(state, theirs.extraPaths);
  const merge =
    ours.tree === base.tree
      ? { tree: theirs.tree }
      : await mergeTrees(git, base.commit, ours.tree, theirs.tree);
  if ('conflicts' in merge) return toConflicts(merge.conflicts, 'changed');
  const wanted = await diffTrees(git, ours.tree, merge.tree);
  const inNested = wanted.filter(({ path }) => ours.nested.some((at) => isAtOrBelow(at, path)));
  if (inNested.length > 0) return conflictsAt(inNested, 'repository');
  const sources = await findSources(state, theirs, made, wanted, merge.tree, stage);
  const moved = ours.tree === base.tree ? [] : await diffTrees(git, base.tree, ours.tree);
  const changes = [...sources, ...findConverted(state, theirs, [...made, ...wanted, ...moved])];
  // Git may also have merged a change into a file that the other side has renamed.
  const others = merge.tree === theirs.tree ? [] : await diffTrees(git, theirs.tree, merge.tree);
  const differing = new Set(others.map(({ path }) => path));
  const combined = made.map(({ path }) => path).filter((path) => differing.has(path));
  return { changes, combined, hasTreeChanged: (checked) => hasTreeChanged(state, checked) };
}

/**
 * Finds the file with the new content of each path. A file that only the step has changed is taken from its worktree,
 * byte by byte. A merged file is written by git, so that line ends and filters are as in a checkout.
 */
async function findSources(
  { repository, home }: WorktreeState,
  theirs: WorktreeSnapshot,
  made: readonly TreeDifference[],
  wanted: readonly TreeDifference[],
  tree: string,
  stage: string,
): Promise<TreeChange[]> {
  const left = new Map(made.map(({ path, after }) => [path, after]));
  const isLeft = ({ path, after }: TreeDifference): boolean => left.get(path) === after;
  const merged = wanted.filter((change) => !change.isRemoved && !isLeft(change));
  const written = `${stage}${sep}merged`;
  if (merged.length > 0) {
    const { top: folder, gitDir } = repository;
    const git = { folder, gitDir, indexFile: `${home.folder}${sep}index.merged` };
    await gitOutput(git, ['read-tree', tree], { settings: ['core.sparseCheckout=false'] });
    mkdirSync(written);
    const args = ['checkout-index', '-z', '--stdin', `--prefix=${written}/`];
    await gitOutput(git, args, { stdin: joinNames(merged.map(({ path }) => path)) });
  }
  return wanted.map((change) => {
    const { path, isNew } = change;
    const from = isLeft(change) ? theirs.git.folder : written;
    return { path, isNew, source: change.isRemoved ? undefined : onDisk(from, path) };
  });
}

/**
 * Finds files that the step has changed and whose content is the same for git, such as other line ends under
 * `core.autocrlf`. Only files of the manifest count: a checkout may also differ from the original by itself.
 */
function findConverted(
  { repository }: WorktreeState,
  theirs: WorktreeSnapshot,
  changed: readonly TreeDifference[],
): TreeChange[] {
  const known = new Set(changed.map(({ path }) => path));
  return theirs.extraPaths.flatMap((path) => {
    const source = onDisk(theirs.git.folder, path);
    const [step, original] = [readEntry(theirs.git.folder, path), readEntry(repository.top, path)];
    if (known.has(path) || !step?.isFile() || !original?.isFile()) return [];
    if (hasSameContent(source, onDisk(repository.top, path))) return [];
    return { path, source, isNew: false, expected: toFileIdentity(original) };
  });
}

/** Asks git if one of the files has changed since the snapshot for the merge. */
async function hasTreeChanged(
  { repository, home }: WorktreeState,
  changes: readonly CheckedChange[],
): Promise<boolean> {
  const git = originalGitDir(repository, home);
  const args = ['diff-files', '--name-only', '--ignore-submodules', '-z'];
  const moved = new Set(splitNames(await gitOutput(git, args)));
  return changes.some(({ path }) => moved.has(path));
}
