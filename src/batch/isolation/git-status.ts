import type { GitDir, GitOptions } from '../../base/git/run-git.js';
import { type BytePath, splitNames } from './byte-path.js';
import { gitOutput } from './git-output.js';

/** Line of `git status --porcelain=v2` about a tracked path: state, submodule, modes and object of HEAD and index. */
const TRACKED = /^1 .(.) .{4} \d+ (\d+) \d+ \w+ (\w+) ([\s\S]+)$/;
/** Line about a path with a merge conflict in the index. */
const UNMERGED = /^u .. .{4} \d+ \d+ \d+ \d+ \w+ \w+ \w+ ([\s\S]+)$/;
const UNTRACKED = /^\? ([\s\S]+)$/;
/** Mode that git prints if the index has no content for the path yet. */
const NO_FILE = '000000';
const SUBMODULE = '160000';

export interface ChangedPath {
  readonly path: BytePath;
  /** Mode and object name in the index; undefined if the index has no content for the path. */
  readonly before: string | undefined;
  readonly isSubmodule: boolean;
}

/** Differences between an index and the files of a working tree. */
export interface WorkingTreeStatus {
  /** Tracked paths that were changed or removed. */
  readonly changed: readonly ChangedPath[];
  /** Untracked files that are not ignored. */
  readonly untracked: readonly BytePath[];
  /** Untracked repositories. */
  readonly nested: readonly BytePath[];
}

/** Compares a working tree with its index, by one git call. */
export async function readStatus(
  git: GitDir,
  signal?: AbortSignal,
  options: GitOptions = {},
): Promise<WorkingTreeStatus> {
  const args = ['status', '--porcelain=v2', '-z', '--untracked-files=all', '--no-renames'];
  const output = await gitOutput(git, [...args, '--ignore-submodules=dirty'], {
    ...options,
    signal,
  });
  const changed: ChangedPath[] = [];
  const others: BytePath[] = [];
  for (const line of splitNames(output)) {
    const [, state, mode = NO_FILE, object = '', path] = TRACKED.exec(line) ?? [];
    if (path !== undefined && state !== '.') {
      const before = mode === NO_FILE ? undefined : `${mode} ${object}`;
      changed.push({ path, before, isSubmodule: mode === SUBMODULE });
    }
    const unmerged = UNMERGED.exec(line)?.[1];
    if (unmerged !== undefined) {
      changed.push({ path: unmerged, before: undefined, isSubmodule: false });
    }
    const untracked = UNTRACKED.exec(line)?.[1];
    if (untracked !== undefined) others.push(untracked);
  }
  return {
    changed,
    untracked: others.filter((path) => !path.endsWith('/')),
    nested: others.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1)),
  };
}
