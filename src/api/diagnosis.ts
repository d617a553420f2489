import type { ErrorCode } from './error.js';

/** Result of one check of `diagnose()`. */
export interface Finding {
  /** What was checked: `configuration`, `CLI`, `version`, `settings`, `workspace trust` and so on. */
  readonly check: string;
  /** `problem`: a step would fail. `note`: a step would work, but the user should know this. */
  readonly status: 'ok' | 'note' | 'problem';
  /** What was found, on one line, without secrets. */
  readonly message: string;
  /** Instruction for the user. Absent if there is nothing to do. */
  readonly fix?: string | undefined;
  /** Code of the error that a step would fail with, for a problem. */
  readonly code?: ErrorCode | undefined;
}

/** Result of `diagnose()`. */
export interface Diagnosis {
  /** False if a step would fail. */
  readonly ok: boolean;
  /** Results of all checks. One problem does not hide another. */
  readonly findings: readonly Finding[];
}

/** Options of `diagnose()`. */
export interface DiagnoseOptions {
  /**
   * Folders of which the agent works in one, if that is not the working directory: a step in a worktree or a copy. The
   * check of trust passes if one of them is trusted.
   *
   * @defaultValue the working directory
   */
  readonly agentDirs?: readonly string[] | undefined;
}
