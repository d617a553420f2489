import type { GitDir } from '../../base/git/run-git.js';
import { type BytePath, foldersAbove, onDisk } from './byte-path.js';
import type { TreeChange } from './check-changes.js';
import { hasSameContent } from './file-identity.js';
import { type ComparedPaths, findChangedPaths } from './find-changed-paths.js';
import { type MergePlan, type PathConflict, toConflicts } from './merge-stage.js';
import { planThreeWay, type WorktreeMergeRequest } from './plan-three-way.js';
import type { StepChange, WorktreeChanges } from './step-changes.js';
import { readEntry } from './tree-entry.js';

/** Returns the git folder of the user's working tree for a merge. No call of a merge uses the user's index. */
export function mergeGitDir({ root, git, indexFile }: WorktreeChanges): GitDir {
  return { folder: root, gitDir: git.gitDir, indexFile };
}

/**
 * Plans the merge of a worktree. If the user's working tree has the paths of the step as they were when the step began,
 * the files of the step replace them, byte by byte. Otherwise git merges both sides.
 */
export async function planWorktreeMerge(
  request: WorktreeMergeRequest,
): Promise<MergePlan | PathConflict[]> {
  const { changes } = request;
  const { root, git } = changes;
  if (git.submodules.length > 0) return toConflicts(git.submodules, 'repository');
  const inNested = findInNested(root, changes.changes);
  if (inNested.length > 0) return toConflicts(inNested, 'repository');
  const compared =
    request.compared ?? (await findChangedPaths(mergeGitDir(changes), changes.changes, git));
  const real = changes.changes.filter(({ isConverted }) => !isConverted);
  if (real.some(({ path }) => compared.changed.has(path))) {
    const planned = await planThreeWay(request, real, compared);
    if (!('changes' in planned)) return planned;
    const converted = planConverted(changes, { ...compared, changed: planned.changedByUser });
    return { ...planned, changes: [...planned.changes, ...converted] };
  }
  const converted = planConverted(changes, compared);
  const replaced = real.map(({ path, source, before }): TreeChange => {
    return { path, source, isNew: before === undefined, expected: compared.identities.get(path) };
  });
  return { changes: [...replaced, ...converted], combined: [] };
}

/** Plans changes that git does not see. A file that the user has changed meanwhile stays as it is. */
function planConverted(
  { root, changes }: WorktreeChanges,
  { changed, identities }: ComparedPaths,
): TreeChange[] {
  return changes.flatMap(({ path, source, isConverted }) => {
    if (!isConverted || source === undefined || changed.has(path)) return [];
    if (hasSameContent(source, onDisk(root, path))) return [];
    return { path, source, isNew: false, expected: identities.get(path) };
  });
}

/** Finds new files in nested repositories of the user. The step has not seen these repositories. */
function findInNested(root: string, changes: readonly StepChange[]): BytePath[] {
  const known = new Map<BytePath, boolean>();
  const isRepository = (folder: BytePath): boolean => {
    const there = known.get(folder) ?? readEntry(root, `${folder}/.git`) !== undefined;
    known.set(folder, there);
    return there;
  };
  return changes
    .filter(({ source, before, path }) => {
      return source !== undefined && before === undefined && foldersAbove(path).some(isRepository);
    })
    .map(({ path }) => path);
}
