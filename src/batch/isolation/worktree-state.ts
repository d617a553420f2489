import { relative, sep } from 'node:path';
import { isInside, realpathOf } from '../../base/fs/paths.js';
import type { GitDir } from '../../base/git/run-git.js';
import { type BytePath, isAtOrBelow, toBytePath } from './byte-path.js';
import type { IsolationFolder } from './isolation-folder.js';
import type { LinkedFolder } from './linked-folders.js';
import type { Repository } from './open-repository.js';
import { type StagedTree, stageTree } from './stage-tree.js';

/** State of an open worktree. */
export interface WorktreeState {
  readonly repository: Repository;
  readonly stateDir: string;
  readonly home: IsolationFolder;
  readonly id: string;
  /** State of the workspace when the step began: a commit and its tree. */
  readonly base: { readonly commit: string; readonly tree: string };
  readonly linked: readonly LinkedFolder[];
  readonly submodules: readonly BytePath[];
}

/** Names of marked folders, at the top of the working tree. */
const OWN_FOLDER = /^gemini-cli-provider-[0-9a-f]{16}\//;

/** Creates the check for untracked files of the user's working tree that belong to this package. */
export function createForeignCheck(top: string, stateDir: string): (path: BytePath) => boolean {
  const own = isInside(top, stateDir) ? toBytePath(relative(top, realpathOf(stateDir))) : undefined;
  return (path) => OWN_FOLDER.test(path) || (own !== undefined && isAtOrBelow(own, path));
}

/**
 * Returns the git folder of the user's working tree with a separate index, so that the user's index stays unchanged.
 */
export function originalGitDir(
  { top, gitDir }: Repository,
  { folder }: IsolationFolder,
): GitDir & { readonly indexFile: string } {
  return { folder: top, gitDir, indexFile: `${folder}${sep}index.original` };
}

/**
 * Returns the path of the index from the time of the checkout. It is outside of the worktree, so the step cannot
 * change it.
 */
export function baseIndex({ folder }: Pick<IsolationFolder, 'folder'>): string {
  return `${folder}${sep}index.base`;
}

/**
 * Writes the present state of the user's working tree to the separate index, without the folders of this package in it.
 * The separate index must be a copy of the user's index.
 */
export function stageOriginal(
  { repository, stateDir, home }: Pick<WorktreeState, 'repository' | 'stateDir' | 'home'>,
  signal?: AbortSignal,
): Promise<StagedTree> {
  const git = originalGitDir(repository, home);
  return stageTree({ git, isForeign: createForeignCheck(repository.top, stateDir), signal });
}
