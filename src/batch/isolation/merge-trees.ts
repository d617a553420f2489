import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { askGit, type GitDir } from '../../base/git/run-git.js';
import { type BytePath, splitNames } from './byte-path.js';
import { describeRefusal, gitLine, gitOutput } from './git-output.js';

/** As git writes it where a file has no counterpart. */
const NO_FILE = '000000';
const SUBMODULE = '160000';
const RAW = /^:(\d+) (\d+) \w+ (\w+) \w+$/;

/** One path that differs between two trees. */
export interface TreeDifference {
  readonly path: BytePath;
  readonly isNew: boolean;
  readonly isRemoved: boolean;
  /** Whether one side is a commit of another repository. */
  readonly isSubmodule: boolean;
  /** Mode and content of the second side. */
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

/** A commit that nothing refers to: `git merge-tree` finds the common base by it. */
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

/** A three-way merge as git does it, renames and merge drivers included, on objects alone. */
export async function mergeTrees(
  git: GitDir,
  base: string,
  ours: string,
  theirs: string,
): Promise<TreeMerge> {
  const commits = await Promise.all([commitTree(git, ours, base), commitTree(git, theirs, base)]);
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', ...commits];
  // A new file stays where the step has put it, also when others have moved the rest of its folder.
  const answer = await askGit(git, args, { settings: ['merge.directoryRenames=false'] });
  const [tree = '', ...conflicts] = splitNames(answer.stdout);
  if (answer.exitCode === 0) return { tree };
  if (answer.exitCode === 1 && conflicts.length > 0) return { conflicts: [...new Set(conflicts)] };
  throw describeRefusal(args, answer);
}

/** Writes all changes between two trees, for `git apply`; undefined where there are none. */
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
