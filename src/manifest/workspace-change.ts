import type { FileState } from './fingerprint.js';

/** One file that is not as it was before the run. */
export interface WorkspaceChange {
  readonly path: string;
  /** `null`: there was none. Undefined: there was one, but its content is not known. */
  readonly before: FileState | null | undefined;
}

/** A workspace as it was before the run. */
export interface WorkspaceSnapshot {
  /** What has changed since. */
  changes(): Promise<WorkspaceChange[]>;
}
