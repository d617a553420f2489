import { findRepository } from '../../base/fs/ignore-rules.js';
import { isInside } from '../../base/fs/paths.js';
import { takeGitSnapshot } from './git-snapshot.js';
import { takeScanSnapshot } from './scan-snapshot.js';
import type { WorkspaceSnapshot } from './workspace-change.js';

export interface WorkspaceSnapshotRequest {
  readonly workspaceDirs: readonly string[];
  /** Folders whose files are left out of the changes. */
  readonly excludedDirs: readonly string[];
  /**
   * True if git may be used. False for a sandboxed agent: it could write to the configuration of the repository, and
   * git would run the filters named there outside the sandbox.
   */
  readonly mayAskGit: boolean;
  /** Stops the snapshot before the step. The comparison after the step has a signal of its own. */
  readonly signal?: AbortSignal | undefined;
}

/** Takes a snapshot of all workspace folders before the step. */
export async function takeSnapshot(request: WorkspaceSnapshotRequest): Promise<WorkspaceSnapshot> {
  const { workspaceDirs, excludedDirs } = request;
  const roots = workspaceDirs.filter(
    (dir, index) => !workspaceDirs.some((other, at) => at < index && isInside(other, dir)),
  );
  const snapshots = await Promise.all(roots.map((root) => takeFolderSnapshot(root, request)));
  return {
    changes: async (limit) => {
      const changes = await Promise.all(snapshots.map((snapshot) => snapshot.changes(limit)));
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
  const usesGit = mayAskGit && findRepository(folder) !== undefined;
  const snapshot = usesGit ? await takeGitSnapshot(folder, signal) : undefined;
  return snapshot ?? takeScanSnapshot(folder, signal);
}
