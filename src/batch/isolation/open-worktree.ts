import { mkdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { askGit } from '../../base/git/run-git.js';
import { describePath } from './byte-path.js';
import { collectWorktree } from './collect-worktree.js';
import { copyIndex } from './copy-index.js';
import { createWorkspace } from './create-workspace.js';
import { describeDiskError } from './disk-error.js';
import { gitLine, gitOutput, settleAll } from './git-output.js';
import type { IsolatedWorkspace, IsolationOptions } from './isolated-workspace.js';
import { chooseIsolationFolder, type IsolationFolder } from './isolation-folder.js';
import { createId, writeRecord } from './isolation-record.js';
import { keepWorktreeFiles } from './keep-worktree-files.js';
import { DEFAULT_LINK_FOLDERS, findIgnoredFolders, linkFolders } from './linked-folders.js';
import { createMarkedFolder, markedFolderName } from './marked-folder.js';
import { openKnownRepository } from './open-known-repository.js';
import { type Repository, readHeadCommit, refuseIgnored } from './open-repository.js';
import { treeLock } from './read-write-lock.js';
import { removeFiles, removeIsolation } from './remove-isolation.js';
import { addWorktreeEntry } from './worktree-entry.js';
import { baseIndex, originalGitDir, stageOriginal } from './worktree-state.js';
import { writeCommit } from './write-commit.js';

/** State of the user's working tree when the attempt begins. */
interface CapturedState {
  readonly tree: string;
  readonly commit: string;
  /** Commit of HEAD; undefined before the first commit. */
  readonly head: string | undefined;
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
  const repository = await openKnownRepository(options.workspaceDir, signal);
  const { top: root, commonDir } = repository;
  const id = createId();
  const home = chooseIsolationFolder(root, stateDir, id);
  const { folder, tree, stage } = home;
  const record = { id, kind: 'worktree', root, home: folder, tree, stage, commonDir } as const;
  try {
    writeRecord(stateDir, record);
    createMarkedFolder(folder, id);
    const captured = await captureState(repository, home, stateDir, signal);
    const names = options.linkFolders ?? DEFAULT_LINK_FOLDERS;
    const [ignored] = await settleAll([
      findIgnoredFolders(originalGitDir(repository, home), names, signal),
      checkOut(repository, home, captured, { id, signal }),
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
  // No merge may run while the files are read. What follows reads the separate index only.
  const [{ staged, nested, submodules }, head] = await settleAll([
    treeLock.shared(async () => {
      copyIndex(`${repository.gitDir}${sep}index`, git.indexFile);
      const [answer, rest] = await settleAll([
        askGit({ ...git, indexFile: copyOf(git.indexFile) }, ['write-tree'], { signal }),
        stageOriginal({ repository, stateDir, home }, signal),
      ]);
      const isWritten = answer.exitCode === 0;
      return { ...rest, staged: isWritten ? answer.stdout.toString().trim() : undefined };
    }),
    readHeadCommit(repository, signal),
    refuseIgnored(repository, signal),
  ]);
  const tree = await gitLine(git, ['write-tree'], { signal });
  const commit = writeCommit(repository.commonDir, tree, head);
  return { tree, commit, head, staged, nested, submodules };
}

/** Copies the index for a git call that runs at the same time as another one that changes the index. */
function copyOf(indexFile: string): string {
  const copy = `${indexFile}.staged`;
  copyIndex(indexFile, copy);
  return copy;
}

/** Checks out the captured state. HEAD of the worktree is the user's commit, and its log also names the captured state. */
async function checkOut(
  repository: Repository,
  home: IsolationFolder,
  { commit, head, tree: captured, staged }: CapturedState,
  { id, signal }: { readonly id: string; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const { tree } = home;
  const name = markedFolderName(id);
  const gitDir = await addWorktreeEntry({ repository, name, tree, commit, head, signal });
  const git = { folder: tree, gitDir };
  await gitOutput(git, ['read-tree', '--reset', '-u', captured], { signal });
  copyIndex(`${gitDir}${sep}index`, baseIndex(home));
  const index = staged ?? head;
  if (head === undefined || index === undefined || index === captured) return;
  await gitOutput(git, ['read-tree', '-m', index], { signal });
}
