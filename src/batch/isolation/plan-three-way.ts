import { mkdirSync } from 'node:fs';
import { sep } from 'node:path';
import { type BytePath, isAtOrBelow, joinNames, onDisk } from './byte-path.js';
import type { TreeChange } from './check-changes.js';
import { copyIndex } from './copy-index.js';
import { type FileIdentity, toFileIdentity } from './file-identity.js';
import type { ComparedPaths } from './find-changed-paths.js';
import { gitLine, gitOutput } from './git-output.js';
import { readStatus } from './git-status.js';
import type { IsolationFolder } from './isolation-folder.js';
import { type MergePlan, type PathConflict, toConflicts } from './merge-stage.js';
import { diffTrees, mergeCommits, type TreeDifference } from './merge-trees.js';
import type { StepChange, WorktreeChanges } from './step-changes.js';
import { readEntry } from './tree-entry.js';
import { updateIndex } from './update-index.js';
import { createForeignCheck } from './worktree-state.js';
import { writeCommit } from './write-commit.js';

export interface WorktreeMergeRequest {
  readonly changes: WorktreeChanges;
  readonly home: IsolationFolder;
  readonly stateDir: string;
  readonly stage: string;
  /** State of the paths in the user's working tree, if a merge of several steps has already read it. */
  readonly compared?: ComparedPaths | undefined;
}

export interface ThreeWayPlan extends MergePlan {
  /** Paths that are not as they were when the step began. */
  readonly changedByUser: ReadonlySet<BytePath>;
}

/** State of the user's working tree for a three-way merge. */
interface Ours {
  readonly tree: string;
  readonly nested: readonly BytePath[];
  readonly identities: ReadonlyMap<BytePath, FileIdentity>;
  readonly changed: ReadonlySet<BytePath>;
}

/**
 * Plans a three-way merge by git: base is the state when the step began. A file that only the step has changed is taken
 * from the step, byte by byte. A merged file is written by git, so that line ends and filters are as in a checkout.
 */
export async function planThreeWay(
  request: WorktreeMergeRequest,
  real: readonly StepChange[],
  compared: ComparedPaths,
): Promise<ThreeWayPlan | PathConflict[]> {
  const { changes, home } = request;
  const { root, git: base } = changes;
  const git = { folder: root, gitDir: base.gitDir, indexFile: `${home.folder}${sep}index.ours` };
  copyIndex(changes.indexFile, git.indexFile);
  const ours = await readOurs(request, git, real, compared);
  const merge =
    ours.tree === base.tree
      ? { tree: base.theirs }
      : await mergeCommits(
          git,
          writeCommit(base.commonDir, ours.tree, base.commit),
          writeCommit(base.commonDir, base.theirs, base.commit),
        );
  if ('conflicts' in merge) return toConflicts(merge.conflicts, 'changed');
  const [wanted = [], made = [], others = []] = await diffTrees(git, [
    [ours.tree, merge.tree],
    [base.tree, base.theirs],
    [base.theirs, merge.tree],
  ]);
  const inNested = wanted.filter(({ path }) => ours.nested.some((at) => isAtOrBelow(at, path)));
  if (inNested.length > 0) {
    return toConflicts(
      inNested.map(({ path }) => path),
      'repository',
    );
  }
  // Git may also have merged a change into a file that the other side has renamed.
  const differing = new Set(others.map(({ path }) => path));
  return {
    changes: await findSources(request, git.indexFile, { wanted, made, ours, tree: merge.tree }),
    changedByUser: ours.changed,
    combined: made.map(({ path }) => path).filter((path) => differing.has(path)),
  };
}

/**
 * Writes the user's side as a tree: the base with the present files at the paths of the step. If such a path is gone, the
 * whole working tree is read, because the user may have renamed the file.
 */
async function readOurs(
  { changes, stateDir }: WorktreeMergeRequest,
  git: { readonly folder: string; readonly gitDir: string; readonly indexFile: string },
  real: readonly StepChange[],
  { identities, hasMoved, changed: compared }: ComparedPaths,
): Promise<Ours> {
  const paths = new Set(real.map(({ path }) => path));
  const known = new Map(identities);
  let nested: readonly BytePath[] = [];
  let changed = compared;
  if (hasMoved) {
    const status = await readStatus(git);
    nested = status.nested;
    changed = new Set(status.changed.map(({ path }) => path));
    const isForeign = createForeignCheck(changes.root, stateDir);
    for (const { path } of status.changed) paths.add(path);
    for (const path of status.untracked) if (!isForeign(path)) paths.add(path);
    for (const path of paths) {
      const there = readEntry(changes.root, path);
      if (there?.isFile() || there?.isSymbolicLink()) known.set(path, toFileIdentity(there));
    }
  }
  const isPresent = (path: BytePath): boolean => {
    return known.has(path) || !readEntry(changes.root, path)?.isDirectory();
  };
  // A folder in the place of a new file is none of its files: those of the folder have paths of their own.
  const isBase = new Set(real.filter(({ before }) => before !== undefined).map(({ path }) => path));
  await updateIndex(
    git,
    [...paths].filter((path) => isPresent(path) || isBase.has(path)),
  );
  return { tree: await gitLine(git, ['write-tree']), nested, identities: known, changed };
}

interface MergedTrees {
  readonly wanted: readonly TreeDifference[];
  readonly made: readonly TreeDifference[];
  readonly ours: Ours;
  readonly tree: string;
}

/** Finds the file with the new content of each path. */
async function findSources(
  { changes, stage, home }: WorktreeMergeRequest,
  oursIndex: string,
  { wanted, made, ours, tree }: MergedTrees,
): Promise<TreeChange[]> {
  const left = new Map(made.map(({ path, after }) => [path, after]));
  const isLeft = ({ path, after }: TreeDifference): boolean => left.get(path) === after;
  const merged = wanted.filter((change) => !change.isRemoved && !isLeft(change));
  const folder = `${stage}${sep}merged`;
  if (merged.length > 0) {
    mkdirSync(folder);
    const indexFile = `${home.folder}${sep}index.merged`;
    copyIndex(oursIndex, indexFile);
    const git = { folder, gitDir: changes.git.gitDir, indexFile };
    const from = ['--pathspec-from-file=-', '--pathspec-file-nul'];
    const args = ['--literal-pathspecs', 'checkout', '-q', '--ignore-skip-worktree-bits', tree];
    await gitOutput(git, [...args, ...from], {
      stdin: joinNames(merged.map(({ path }) => path)),
      settings: ['core.sparseCheckout=false'],
    });
  }
  return wanted.map((change) => {
    const { path, isNew, isRemoved } = change;
    const source = isRemoved ? undefined : onDisk(isLeft(change) ? changes.files : folder, path);
    return { path, isNew, source, expected: ours.identities.get(path) };
  });
}
