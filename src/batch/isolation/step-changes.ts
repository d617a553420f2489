import type { BytePath } from './byte-path.js';
import type { FileSnapshot } from './file-snapshot.js';
import type { MappedFolders } from './path-map.js';

/** Change of one path that a step has made. */
export interface StepChange {
  readonly path: BytePath;
  /** Path of the new file or link; absent if the step has removed the path. */
  readonly source?: Buffer | undefined;
  /** For a worktree: mode and object name before the step, as git has them; absent if the path is new. */
  readonly before?: string | undefined;
  /** For a worktree: true if the content is the same for git, for example with other line ends. */
  readonly isConverted?: boolean | undefined;
  /** For a copy: state of the file when the step began; absent if the path is new. */
  readonly known?: FileSnapshot | undefined;
}

/** File of the manifest, as the step has left it. */
export interface ReportedFile {
  /** Path in the isolated workspace. */
  readonly absolutePath: string;
  /** Path in the tree; absent if the file is outside of the tree or in a linked folder, so that no merge contains it. */
  readonly path?: BytePath | undefined;
  /** Hash of the content; absent if there is no file. */
  readonly sha256?: string | undefined;
}

/** What git needs for a three-way merge of a worktree. */
export interface GitBase {
  readonly gitDir: string;
  readonly commonDir: string;
  /** Working directory, relative to the top of the repository. */
  readonly prefix: string;
  /** True if git compares the execute bit (`core.fileMode`). */
  readonly trustModes: boolean;
  /** State of the workspace when the step began, as a commit and its tree. */
  readonly commit: string;
  readonly tree: string;
  /** Tree with the changes of the step. */
  readonly theirs: string;
  /** Submodules that the step has changed. */
  readonly submodules: readonly BytePath[];
}

/** All changes of one attempt. */
export interface StepChanges extends MappedFolders {
  readonly kind: 'worktree' | 'copy';
  readonly changes: readonly StepChange[];
  /** Folder that has the changed files at their paths: the tree of the step, or the saved files. */
  readonly files: string;
  /** Messages about the workspace: what it did not contain. */
  readonly workspaceNotes: readonly string[];
  /** Messages about the changes: what cannot be merged. */
  readonly notes: readonly string[];
  readonly reported: readonly ReportedFile[];
  readonly git?: GitBase | undefined;
  /** For a worktree: index of the user's working tree from the time when the step began. */
  readonly indexFile?: string | undefined;
  /** For a copy: folder with the old contents of text files; absent if there is no git to merge them. */
  readonly texts?: string | undefined;
}

/** Changes of a step in a worktree, with what git needs to merge them. */
export interface WorktreeChanges extends StepChanges {
  readonly git: GitBase;
  readonly indexFile: string;
}

export function isOfWorktree(changes: StepChanges): changes is WorktreeChanges {
  return changes.git !== undefined && changes.indexFile !== undefined;
}
