import type { ToolCall } from '../../agents/events/turn-fold.js';
import type { FileState } from '../../base/fs/fingerprint.js';

/** Difference between a file and its state before the step. */
export interface WorkspaceChange {
  readonly path: string;
  /** Old state. `null`: the file did not exist. Undefined: it existed, but its content is not known. */
  readonly before: FileState | null | undefined;
  /** Reason why the path was not compared: its name is not UTF-8, or it is a folder that cannot be read. */
  readonly obstacle?: Obstacle | undefined;
  /** Failed calls that changed the file; undefined if the writer has to be guessed. */
  readonly writers?: readonly ToolCall[] | undefined;
}

export type Obstacle = 'name' | 'access';

/** State of a workspace before the step. */
export interface WorkspaceSnapshot {
  /**
   * Lists the changes since the snapshot, and the paths that could not be compared. Throws the reason of the signal if that
   * is aborted.
   */
  changes(signal?: AbortSignal): Promise<WorkspaceChange[]>;
}
