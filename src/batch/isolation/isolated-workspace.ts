import type { Isolation } from '../../api/batch-plan.js';
import type { ComparedPaths } from './find-changed-paths.js';
import type { MappedFolders } from './path-map.js';

export interface IsolationOptions {
  /**
   * `shared`: the folder itself. `worktree`: a worktree of the repository with the present state of the workspace,
   * without ignored files and nested repositories, with empty submodules, and with the user's branches, tags and
   * stashes. `copy`: all files of the folder, with a repository of its own if the folder has one. Changes of worktrees
   * and copies are merged back, except ignored files and empty folders.
   */
  readonly kind: Isolation;
  /** Working directory of the step without isolation. */
  readonly workspaceDir: string;
  /** Name of the attempt in messages. */
  readonly label: string;
  /**
   * Folder for records of workspaces. A record is written first, so that `removeLeftovers` finds the workspace after a
   * crash.
   */
  readonly stateDir: string;
  /**
   * Names of ignored folders, at any depth, that the workspace gets as links into the original. Changes in them are
   * not merged back. Default `node_modules`.
   */
  readonly linkFolders?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reason why a path cannot be merged. */
export type ConflictReason =
  /** Both sides have changed the path, and the changes conflict. */
  | 'changed'
  /** The path is taken by an entry outside of the merge: an ignored file, or a folder where a file should be. */
  | 'occupied'
  /** The path is in a submodule or a nested repository: changes in there cannot be merged from a worktree. */
  | 'repository'
  /** The file on the disk was not as the merge had written it, in every try. The merge was undone. */
  | 'unverified';

export interface MergeConflict {
  /** Path from the original working directory, as in a manifest. */
  readonly path: string;
  readonly reason: ConflictReason;
}

export type MergeOutcome =
  | {
      readonly merged: true;
      /** Written and removed paths, from the original working directory. */
      readonly paths: readonly string[];
      readonly notes: readonly string[];
    }
  | {
      /** No file of the original was touched. */
      readonly merged: false;
      readonly conflicts: readonly MergeConflict[];
      /** Patch with all changes, for `git apply --3way`. Without git, a folder with the changed files. */
      readonly patchFile: string;
      readonly notes: readonly string[];
    };

export interface CollectOptions {
  /** Ignored files that are merged back anyway: absolute paths, or paths from `dir`. */
  readonly extraPaths: readonly string[];
  /** Absolute paths of all files of the manifest, for `compareMerged`. */
  readonly files?: readonly string[] | undefined;
}

export interface KeepOptions extends CollectOptions {
  /** File for the patch. */
  readonly patchFile: string;
}

/** State of a file in the original after the merge, compared with the file of the step. */
export type MergedState =
  /** The original has the file of the step, or both have none. */
  | 'same'
  /** The original has the changes of both sides. */
  | 'combined'
  /** Another program has changed the file since the merge. */
  | 'changed-since'
  /** The file is in a linked folder or outside of the workspace: it is no part of a merge. */
  | 'not-merged'
  /** The change of the step did not arrive in the original. */
  | 'different';

/** Workspace in which one attempt of a step runs. */
export interface IsolatedWorkspace {
  readonly kind: Isolation;
  /** True if another process does the work: a file system that does not answer stops that process, not this one. */
  readonly isRemote: boolean;
  /** Working directory of the step in this workspace; replaces `workspaceDir`. */
  readonly dir: string;
  /** Folders of the original and their counterparts in this workspace. */
  readonly folders: MappedFolders;
  /** Messages about differences between this workspace and the original. */
  readonly notes: readonly string[];
  /** Maps a path of the original to this workspace. Relative paths start at the working directory. */
  toIsolated(path: string): string;
  /** Maps a path of this workspace to the original. */
  toOriginal(path: string): string;
  /** Finds the changes of the step. They can be merged as long as the workspace exists. The step must have ended. */
  collectChanges(options: CollectOptions): Promise<ChangeSet>;
  /**
   * Finds the changes of the step and saves them in the state folder, synced. They can be merged without the workspace,
   * also by another process.
   */
  saveChanges(options: CollectOptions): Promise<ChangeSet>;
  /** Removes the files of the workspace, after its changes are saved. `dispose` removes the rest. */
  removeFiles(): Promise<void>;
  /**
   * Writes the changes of a failed step as a patch and returns its path; undefined if there are no changes. If no patch
   * can be made, the path is a folder with the changed files.
   */
  keepPatch(options: KeepOptions): Promise<string | undefined>;
  /** Keeps the changes of a failed step like `keepPatch`, and removes the workspace. Goes on if one of both fails. */
  abandon(options: KeepOptions): Promise<string | undefined>;
  /** Reverts a merge that is not kept, and removes the workspace. Files that cannot be removed now are left to `removeLeftovers`. */
  dispose(): Promise<void>;
}

/** Changes of one attempt, which can be merged into the original. */
export interface ChangeSet {
  /** Id of the workspace that the merge belongs to. The `done` line names this id, so that `removeLeftovers` keeps the merge. */
  readonly id: string;
  /** Id of the saved changes; undefined if the changes exist in the workspace only. */
  readonly savedId: string | undefined;
  /** Absolute paths that the merge may change, one character per byte. */
  readonly targets: readonly string[];
  /** Messages about differences between the workspace and the original. */
  readonly notes: readonly string[];
  /** Maps a path of the workspace to the original. */
  toOriginal(path: string): string;
  /**
   * Merges all changes into the original, or none. Merges wait for each other. If the disk fails, `mergeBack` throws, the
   * original is as before, and `keepPatch` still works. The merge is provisional until `keepMerge` is called: `dispose`
   * reverts it, or `removeLeftovers` after a crash.
   */
  mergeBack(patchFile: string): Promise<MergeOutcome>;
  /** Like `mergeBack`, for a caller that holds the lock and may have compared the paths of several steps at once. */
  mergeLocked(patchFile: string, compared?: ComparedPaths): Promise<MergeOutcome>;
  /** Compares a file of the manifest with the original after `mergeBack`. `path` is the path in the workspace. */
  compareMerged(path: string): Promise<MergedState>;
  /** Makes the merge permanent. Call it after the ledger has the `done` line. */
  keepMerge(): Promise<void>;
  /** Writes the changes as a patch, or as a folder with the changed files. Returns undefined if there are no changes. */
  keepPatch(patchFile: string): Promise<string | undefined>;
  /** Removes the saved changes. Call it after the ledger says that they are not needed any more. */
  drop(): Promise<void>;
  /** Reverts a merge that is not kept, and removes the workspace. Saved changes stay until `drop`. */
  dispose(): Promise<void>;
}
