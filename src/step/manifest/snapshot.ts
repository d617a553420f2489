import { findRepository } from '../../base/fs/ignore-rules.js';
import { isInside } from '../../base/fs/paths.js';
import { takeGitSnapshot } from './git-snapshot.js';
import { takeScanSnapshot } from './scan-snapshot.js';
import type { WorkspaceSnapshot } from './workspace-change.js';

export interface WorkspaceSnapshotRequest {
  readonly workspaceDirs: readonly string[];
  /** Files below these do not count. */
  readonly excludedDirs: readonly string[];
  /**
   * Whether git may be asked. Not about a repository that a sandboxed agent could write to: git runs filters
   * that are named in its configuration, and would run them outside of the sandbox.
   */
  readonly mayAskGit: boolean;
  /** Ends the look before the run; the comparison after it is always made. */
  readonly signal?: AbortSignal | undefined;
}

/** All folders of the workspace before the run. */
export async function takeSnapshot(request: WorkspaceSnapshotRequest): Promise<WorkspaceSnapshot> {
  const { workspaceDirs, excludedDirs } = request;
  const roots = workspaceDirs.filter(
    (dir, index) => !workspaceDirs.some((other, at) => at < index && isInside(other, dir)),
  );
  const snapshots = await Promise.all(roots.map((root) => takeFolderSnapshot(root, request)));
  return {
    changes: async () => {
      const changes = await Promise.all(snapshots.map((snapshot) => snapshot.changes()));
      return changes
        .flat()
        .filter(({ path }) => !excludedDirs.some((folder) => isInside(folder, path)));
    },
  };
}

async function takeFolderSnapshot(
  folder: string,
  { mayAskGit, signal }: WorkspaceSnapshotRequest,
): Promise<WorkspaceSnapshot> {
  const isAsked = mayAskGit && findRepository(folder) !== undefined;
  const snapshot = isAsked ? await takeGitSnapshot(folder, signal) : undefined;
  return snapshot ?? takeScanSnapshot(folder, signal);
}
