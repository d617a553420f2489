export type FileChangeKind = 'created' | 'modified' | 'deleted' | 'unchanged';

/** One file that the run touched, as it lies on the disk after the run. */
export interface ManifestFile {
  /** Relative to the working directory, with forward slashes; starts with `../` where it lies outside. */
  readonly path: string;
  readonly absolutePath: string;
  readonly kind: FileChangeKind;
  /**
   * The tools that wrote it, or may have: a shell command after an edit is named where the content is no longer
   * what the edit reported. `unknown` where that may have been something else than a shell command.
   */
  readonly tools: readonly string[];
  readonly toolIds: readonly string[];
  /** Size after the run; 0 for a deleted file. */
  readonly bytes: number;
  readonly sha256Before?: string | undefined;
  readonly sha256After?: string | undefined;
  /** Unified diff; absent for binary and very large files and where the old content is not known. */
  readonly diff?: string | undefined;
  /** False where the disk shows something else than the tools reported, and no later command can have changed it. */
  readonly confirmed: boolean;
  /**
   * Outside the working directory and the included directories. What was written through a symbolic link lies
   * where the link leads; a link that the run itself made, changed or removed lies where it is.
   */
  readonly outsideWorkspace: boolean;
  /** Where the path leads, if it is a symbolic link. */
  readonly symlinkTarget?: string | undefined;
}
