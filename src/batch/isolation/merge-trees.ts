import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { askGit, type GitDir } from '../../base/git/run-git.js';
import { type BytePath, splitNames } from './byte-path.js';
import { describeRefusal, gitLine, gitOutput } from './git-output.js';

/** Mode that git prints if the file exists on the other side only. */
const NO_FILE = '000000';
const SUBMODULE = '160000';
const RAW = /^:(\d+) (\d+) \w+ (\w+) \w+$/;

/** Path that differs between two trees. */
export interface TreeDifference {
  readonly path: BytePath;
  readonly isNew: boolean;
  readonly isRemoved: boolean;
  /** True if one side is a submodule, which is a commit of another repository. */
  readonly isSubmodule: boolean;
  /** Mode and object name of the second side. */
  readonly after: string;
}

export async function diffTrees(git: GitDir, from: string, to: string): Promise<TreeDifference[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', from, to];
  const words = splitNames(await gitOutput(git, args));
  const differences: TreeDifference[] = [];
  for (let index = 0; index + 1 < words.length; index += 2) {
    const [, before = '', after = '', object = ''] = RAW.exec(words[index] ?? '') ?? [];
    differences.push({
      path: words[index + 1] ?? '',
      isNew: before === NO_FILE,
      isRemoved: after === NO_FILE,
      isSubmodule: before === SUBMODULE || after === SUBMODULE,
      after: `${after} ${object}`,
    });
  }
  return differences;
}

/** Creates a commit without a ref. `git merge-tree` needs commits to find the common base. */
export function commitTree(
  git: GitDir,
  tree: string,
  parent: string | undefined,
  signal?: AbortSignal,
): Promise<string> {
  const parents = parent === undefined ? [] : ['-p', parent];
  const args = ['commit-tree', '-m', 'State of a workspace', ...parents, tree];
  return gitLine(git, args, { signal });
}

export type TreeMerge = { readonly tree: string } | { readonly conflicts: readonly BytePath[] };

/** Merges three trees with git, renames and merge drivers included, without touching a working tree. */
export async function mergeTrees(
  git: GitDir,
  base: string,
  ours: string,
  theirs: string,
): Promise<TreeMerge> {
  const commits = await Promise.all([commitTree(git, ours, base), commitTree(git, theirs, base)]);
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', ...commits];
  // A new file stays in the folder that the step chose, even if the other side has renamed that folder.
  const answer = await askGit(git, args, { settings: ['merge.directoryRenames=false'] });
  const [tree = '', ...conflicts] = splitNames(answer.stdout);
  if (answer.exitCode === 0) return { tree };
  if (answer.exitCode === 1 && conflicts.length > 0) return { conflicts: [...new Set(conflicts)] };
  throw describeRefusal(args, answer);
}

/** Writes a patch between two trees, for `git apply`. Returns undefined if there are no changes. */
export async function keepPatch(
  git: GitDir,
  from: string,
  to: string,
  file: string,
): Promise<string | undefined> {
  const format = ['--patch', '--binary', '--full-index', '--find-renames', '--no-ext-diff'];
  const args = ['diff-tree', '-r', ...format, '--no-textconv', '--no-color', from, to];
  const patch = await gitOutput(git, args);
  if (patch.length === 0) return undefined;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, patch);
  return file;
}
