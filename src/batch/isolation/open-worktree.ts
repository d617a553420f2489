import { mkdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { askGit } from '../../base/git/run-git.js';
import { describePath } from './byte-path.js';
import { collectWorktree } from './collect-worktree.js';
import { copyIndex } from './copy-index.js';
import { createWorkspace } from './create-workspace.js';
import { describeDiskError } from './disk-error.js';
import { gitOutput, settleAll } from './git-output.js';
import type { IsolatedWorkspace, IsolationOptions } from './isolated-workspace.js';
import { chooseIsolationFolder, type IsolationFolder } from './isolation-folder.js';
import { createId, writeRecord } from './isolation-record.js';
import { keepWorktreeFiles } from './keep-worktree-files.js';
import { DEFAULT_LINK_FOLDERS, findIgnoredFolders, linkFolders } from './linked-folders.js';
import { createMarkedFolder } from './marked-folder.js';
import { openRepository, type Repository } from './open-repository.js';
import { treeLock } from './read-write-lock.js';
import { removeFiles, removeIsolation } from './remove-isolation.js';
import { addWorktreeEntry } from './worktree-entry.js';
import { baseIndex, originalGitDir, snapshotOriginal } from './worktree-state.js';
import { writeCommit } from './write-commit.js';

/** State of the user's working tree when the attempt begins. */
interface CapturedState {
  readonly tree: string;
  readonly commit: string;
  /** Tree of the staged files; undefined during a merge with conflicts. */
  readonly staged: string | undefined;
  readonly nested: readonly string[];
  readonly submodules: readonly string[];
}

/**
 * Opens a worktree with the present state of the workspace: the same commit, the same staged and uncommitted changes,
 * and the untracked files. The user's index, stash and branches are not changed for it.
 */
export async function openWorktree(options: IsolationOptions): Promise<IsolatedWorkspace> {
  const { stateDir, signal } = options;
  const repository = await openRepository(options.workspaceDir, signal);
  const { top: root, commonDir } = repository;
  const id = createId();
  const home = chooseIsolationFolder(root, stateDir, id);
  const { folder, tree, stage } = home;
  const record = { id, kind: 'worktree', root, home: folder, tree, stage, commonDir } as const;
  try {
    writeRecord(stateDir, record);
    createMarkedFolder(folder, id);
    const captured = await treeLock.shared(() => captureState(repository, home, stateDir, signal));
    const names = options.linkFolders ?? DEFAULT_LINK_FOLDERS;
    const [ignored] = await settleAll([
      findIgnoredFolders(originalGitDir(repository, home), names, signal),
      checkOut(repository, home, captured, signal),
    ]);
    const linked = linkFolders(root, tree, ignored);
    const dir = join(tree, repository.prefix);
    mkdirSync(dir, { recursive: true });
    const base = { commit: captured.commit, tree: captured.tree };
    const { submodules } = captured;
    const state = { repository, stateDir, home, id, base, linked, submodules };
    return createWorkspace({
      kind: 'worktree',
      id,
      stateDir,
      home,
      root,
      tree,
      workspaceDir: options.workspaceDir,
      dir,
      workspaceNotes: captured.nested.map((path) => {
        return `Nested repository ${describePath(path)} is not in the worktree`;
      }),
      linked,
      find: async (extraPaths) => ({
        ...(await collectWorktree(state, extraPaths)),
        indexFile: originalGitDir(repository, home).indexFile,
      }),
      keepFiles: (extraPaths, file) => keepWorktreeFiles(state, extraPaths, file),
      removeFiles: () => removeFiles(record),
      remove: () => removeIsolation(stateDir, record),
    });
  } catch (error) {
    await removeIsolation(stateDir, record);
    throw describeDiskError(error, `Cannot create a worktree for ${options.label}`);
  }
}

async function captureState(
  repository: Repository,
  home: IsolationFolder,
  stateDir: string,
  signal: AbortSignal | undefined,
): Promise<CapturedState> {
  const git = originalGitDir(repository, home);
  copyIndex(`${repository.gitDir}${sep}index`, git.indexFile);
  const [staged, { tree, nested, submodules }] = await settleAll([
    askGit({ ...git, indexFile: copyOf(git.indexFile) }, ['write-tree'], { signal }),
    snapshotOriginal({ repository, stateDir, home }, signal),
  ]);
  return {
    tree,
    commit: writeCommit(repository.commonDir, tree, repository.head),
    staged: staged.exitCode === 0 ? staged.stdout.toString().trim() : undefined,
    nested,
    submodules,
  };
}

/** Copies the index for a git call that runs at the same time as another one that changes the index. */
function copyOf(indexFile: string): string {
  const copy = `${indexFile}.staged`;
  copyIndex(indexFile, copy);
  return copy;
}

/**
 * Checks out the captured state. HEAD of the worktree is set to the commit with that state first, then to the user's
 * commit. The log of HEAD then names both, so that `git gc` keeps the objects that the merge needs. A ref would do the
 * same, but the user would see it.
 */
async function checkOut(
  { top, head }: Repository,
  home: IsolationFolder,
  captured: CapturedState,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { tree } = home;
  const gitDir = await addWorktreeEntry({ top, tree, commit: captured.commit, signal });
  const git = { folder: tree, gitDir };
  await gitOutput(git, ['read-tree', '--reset', '-u', captured.tree], { signal });
  copyIndex(`${gitDir}${sep}index`, baseIndex(home));
  if (head === undefined) return;
  const move = ['update-ref', '--no-deref', '--create-reflog', '-m', 'begin', 'HEAD', head];
  await settleAll([
    gitOutput(git, move, { signal }),
    gitOutput(git, ['read-tree', '-m', captured.staged ?? head], { signal }),
  ]);
}
