import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { askGit, type GitDir } from '../../base/git/run-git.js';
import { type BytePath, splitNames } from './byte-path.js';
import { describeRefusal, gitOutput } from './git-output.js';

/** Mode that git prints if the file exists on the other side only. */
const NO_FILE = '000000';
const RAW = /^:(\d+) (\d+) \w+ (\w+) \w+$/;

/** Path that differs between two trees. */
export interface TreeDifference {
  readonly path: BytePath;
  readonly isNew: boolean;
  readonly isRemoved: boolean;
  /** Mode and object name of the second side. */
  readonly after: string;
}

/** Header that git prints before the differences of a pair of trees. */
const PAIR = /^[0-9a-f]{40,64} [0-9a-f]{40,64}\n/;

/** Lists the differences of several pairs of trees, by one git call. */
export async function diffTrees(
  git: GitDir,
  pairs: readonly (readonly [from: string, to: string])[],
): Promise<TreeDifference[][]> {
  const args = ['diff-tree', '--stdin', '-r', '-z', '--raw', '--no-renames', '--no-abbrev'];
  const stdin = Buffer.from(pairs.map(([from, to]) => `${from} ${to}\n`).join(''));
  const words = splitNames(await gitOutput(git, args, { stdin }));
  const differences: TreeDifference[][] = pairs.map(() => []);
  let pair = -1;
  for (let index = 0; index < words.length; index += 2) {
    let word = words[index] ?? '';
    for (let header = PAIR.exec(word); header !== null; header = PAIR.exec(word)) {
      pair++;
      word = word.slice(header[0].length);
    }
    const [, before = '', after = '', object = ''] = RAW.exec(word) ?? [];
    if (object === '') continue;
    differences[pair]?.push({
      path: words[index + 1] ?? '',
      isNew: before === NO_FILE,
      isRemoved: after === NO_FILE,
      after: `${after} ${object}`,
    });
  }
  return differences;
}

export type TreeMerge = { readonly tree: string } | { readonly conflicts: readonly BytePath[] };

/** Merges two commits with git, renames and merge drivers included, without touching a working tree. */
export async function mergeCommits(git: GitDir, ours: string, theirs: string): Promise<TreeMerge> {
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', ours, theirs];
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
