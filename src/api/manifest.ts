/** Change of a file from before the step to after it. `unchanged`: a tool wrote the content that was there before. */
export type FileChangeKind = 'created' | 'modified' | 'deleted' | 'unchanged';

/** A file that the step touched, as it is on disk after the step. */
export interface ManifestFile {
  /** Path relative to the working directory, with forward slashes. A file outside of it starts with `../`. */
  readonly path: string;
  /** Absolute path of the file. */
  readonly absolutePath: string;
  /** Change of the file. */
  readonly kind: FileChangeKind;
  /**
   * Names of the tools that wrote the file. If the content differs from the tool's report and a later shell command
   * may have changed it, that command is listed too. `unknown` means that the writer is not known.
   */
  readonly tools: readonly string[];
  /** Ids of the tool calls that wrote the file. */
  readonly toolIds: readonly string[];
  /** Size in bytes after the step. `0` for a deleted file. */
  readonly bytes: number;
  /** SHA-256 before the step, in hex. Absent if the file did not exist or its content is not known. */
  readonly sha256Before?: string | undefined;
  /** SHA-256 after the step, in hex. Absent if the file does not exist. */
  readonly sha256After?: string | undefined;
  /** Unified diff. Absent for binary and very large files, and if the old content is not known. */
  readonly diff?: string | undefined;
  /** False if the disk differs from what the tools reported, and no later command can have changed the file. */
  readonly confirmed: boolean;
  /**
   * True for a file outside of the working directory and `includeDirectories`. A file written through a symbolic link
   * is judged by the link's target. A link that the step created, changed or removed is judged by its own path.
   */
  readonly outsideWorkspace: boolean;
  /** Why a change of this file needs attention: programs obey or execute the file later. Absent for other files. */
  readonly sensitive?: string | undefined;
  /** Absolute path of the link's target, if the file is a symbolic link. */
  readonly symlinkTarget?: string | undefined;
}
