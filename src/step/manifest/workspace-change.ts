import type { FileState } from '../../base/fs/fingerprint.js';

/** Difference between a file and its state before the step. */
export interface WorkspaceChange {
  readonly path: string;
  /** Old state. `null`: the file did not exist. Undefined: it existed, but its content is not known. */
  readonly before: FileState | null | undefined;
  /** Reason why the path was not compared: its name is not UTF-8, or it is a folder that cannot be read. */
  readonly obstacle?: Obstacle | undefined;
}

export type Obstacle = 'name' | 'access';

/** State of a workspace before the step. */
export interface WorkspaceSnapshot {
  /** Lists the changes since the snapshot, and the paths that could not be compared. */
  changes(): Promise<WorkspaceChange[]>;
}
