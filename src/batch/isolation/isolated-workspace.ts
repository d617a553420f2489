import type { Isolation } from '../../api/batch-plan.js';

export interface IsolationOptions {
  /**
   * `shared`: the folder itself. `worktree`: a worktree of the repository, in the state in which the workspace is
   * now; ignored files are not there, submodules and other repositories inside are empty, and branches, tags and
   * stashes are those of the person. `copy`: all files of a folder, with a repository of its own if it has one.
   * Either brings back what is not ignored; empty folders do not come back.
   */
  readonly kind: Isolation;
  /** Where the step would run by itself. */
  readonly workspaceDir: string;
  /** What a person would call the attempt: it stands in messages. */
  readonly label: string;
  /** What is made is recorded here first, so that `removeLeftovers` finds it after a crash. */
  readonly stateDir: string;
  /**
   * Names of ignored folders, wherever they lie, that are there as links to what is in the original. Changes in
   * them do not come back. Default `node_modules`.
   */
  readonly linkFolders?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Why a path cannot be merged. */
export type ConflictReason =
  /** It was changed on both sides, in ways that do not go together. */
  | 'changed'
  /** Something lies there that is no part of the workspace: an ignored file, a folder in the place of a file. */
  | 'occupied'
  /** It is a submodule or lies in another repository: a worktree cannot carry changes in there. */
  | 'repository';

export interface MergeConflict {
  /** From the original working directory, as in a manifest. */
  readonly path: string;
  readonly reason: ConflictReason;
}

export type MergeOutcome =
  | {
      readonly merged: true;
      /** What was written or removed, from the original working directory. */
      readonly paths: readonly string[];
      readonly notes: readonly string[];
    }
  | {
      /** Then nothing at all was touched. */
      readonly merged: false;
      readonly conflicts: readonly MergeConflict[];
      /** All changes, for `git apply --3way`. A folder with the changed files where there is no git. */
      readonly patchFile: string;
      readonly notes: readonly string[];
    };

export interface MergeOptions {
  /** Ignored files that come back all the same: absolute, or from `dir`. */
  readonly extraPaths: readonly string[];
  /** Where the changes are kept: by `mergeBack` only if they do not go together with the original. */
  readonly patchFile: string;
}

/** Where one attempt of a step runs. */
export interface IsolatedWorkspace {
  readonly kind: Isolation;
  /** By which `removeLeftovers` is told that its merge stands; undefined where there is nothing to merge. */
  readonly id: string | undefined;
  /** In the place of `workspaceDir`. */
  readonly dir: string;
  /** What is not there although the original has it. */
  readonly notes: readonly string[];
  /** A path of the original as the step sees it. Relative ones are seen from the working directory. */
  toIsolated(path: string): string;
  /** The other way round. */
  toOriginal(path: string): string;
  /**
   * Brings the changes back, all of them or none. The step must have ended; merges wait for each other. Where the
   * disk fails it throws, the original is as it was, and `keepPatch` still works. Until `keepMerge` is called they
   * are on trial: `dispose` takes them back, and after a crash `removeLeftovers` does.
   */
  mergeBack(options: MergeOptions): Promise<MergeOutcome>;
  /** The merge is written down where it matters, and stands. */
  keepMerge(): void;
  /** Keeps the changes of a step that failed; undefined where there are none. */
  keepPatch(options: MergeOptions): Promise<string | undefined>;
  /** Removes what was made. What cannot be removed now is left to `removeLeftovers`. */
  dispose(): Promise<void>;
}
