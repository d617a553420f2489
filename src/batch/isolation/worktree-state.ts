import { relative, sep } from 'node:path';
import { isInside, realpathOf } from '../../base/fs/paths.js';
import type { GitDir } from '../../base/git/run-git.js';
import { type BytePath, isAtOrBelow, toBytePath } from './byte-path.js';
import { copyIndex } from './copy-index.js';
import type { IsolationFolder } from './isolation-folder.js';
import type { LinkedFolder } from './linked-folders.js';
import type { Repository } from './open-repository.js';
import { snapshotTree, type TreeSnapshot } from './snapshot-tree.js';

/** What is known of an open worktree. */
export interface WorktreeState {
  readonly repository: Repository;
  readonly stateDir: string;
  readonly home: IsolationFolder;
  readonly id: string;
  /** What the step found: a commit that holds it, and its tree. */
  readonly base: { readonly commit: string; readonly tree: string };
  readonly linked: readonly LinkedFolder[];
}

/** Our folders have names that nobody else gives. */
const OWN_FOLDER = /^gemini-cli-provider-[0-9a-f]{16}\//;

/** An index of our own for the person's working tree. */
export function originalGitDir(
  { top, gitDir }: Repository,
  { folder }: IsolationFolder,
): GitDir & { readonly indexFile: string } {
  return { folder: top, gitDir, indexFile: `${folder}${sep}index.original` };
}

/** The index as it was when the worktree was filled. The step cannot have changed it. */
export function baseIndex({ folder }: IsolationFolder): string {
  return `${folder}${sep}index.base`;
}

/** The person's working tree as it is now. What we keep in there ourselves is no part of it. */
export async function snapshotOriginal(
  { repository, stateDir, home }: Pick<WorktreeState, 'repository' | 'stateDir' | 'home'>,
  extraPaths: readonly BytePath[],
  signal?: AbortSignal,
): Promise<TreeSnapshot> {
  const { top, gitDir } = repository;
  const git = originalGitDir(repository, home);
  copyIndex(`${gitDir}${sep}index`, git.indexFile);
  const own = isInside(top, stateDir) ? toBytePath(relative(top, realpathOf(stateDir))) : undefined;
  const isForeign = (path: BytePath): boolean => {
    return OWN_FOLDER.test(path) || (own !== undefined && isAtOrBelow(own, path));
  };
  return snapshotTree({ git, isForeign, extraPaths, signal });
}
