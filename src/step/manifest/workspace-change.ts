import type { FileState } from '../../base/fs/fingerprint.js';

/** One file that is not as it was before the run. */
export interface WorkspaceChange {
  readonly path: string;
  /** `null`: there was none. Undefined: there was one, but its content is not known. */
  readonly before: FileState | null | undefined;
  /** Why nothing can be said of it: its name is not UTF-8, or it is a folder that is closed to us. */
  readonly obstacle?: Obstacle | undefined;
}

export type Obstacle = 'name' | 'access';

/** A workspace as it was before the run. */
export interface WorkspaceSnapshot {
  /** What has changed since, and what could not be compared. */
  changes(): Promise<WorkspaceChange[]>;
}
