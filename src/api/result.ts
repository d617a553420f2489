import type { ManifestFile } from './manifest.js';
import type { DeniedTool } from './tool.js';

export interface TokenCounts {
  readonly total: number;
  /** Tokens of the prompt, cached ones included. */
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

export interface Usage extends TokenCounts {
  /** Tokens by the model that really ran, sub-agents included. */
  readonly models: Readonly<Record<string, TokenCounts>>;
  readonly toolCalls: number;
}

export type WarningCode =
  | 'PROMPT_CHANGED'
  | 'PROMPT_EXPANDED'
  | 'NON_JSON_OUTPUT'
  | 'OUTPUT_LINE_TOO_LONG'
  | 'UNKNOWN_EVENT'
  | 'INVALID_EVENT'
  | 'CLI_WARNING'
  | 'CLI_RETRIED'
  | 'CLI_LINGERED'
  | 'TEXT_REPAIRED'
  | 'RECOVERED'
  | 'FILE_NOT_CONFIRMED'
  | 'FILE_OUTSIDE_WORKSPACE'
  | 'WORKSPACE_NOT_COMPARED'
  | 'NOT_ISOLATED'
  | 'PROCESSES_LEFT'
  | 'ARTIFACTS_NOT_KEPT';

/** Something the caller should know although the run went on. */
export interface StepWarning {
  readonly code: WarningCode;
  readonly message: string;
  /** How often it happened, where it can happen more than once. */
  readonly count?: number | undefined;
}

/** `headless`: one process for each step. `acp`: warm processes that serve one step after another. */
export type Transport = 'headless' | 'acp';

/** What is known of a run at its end, whether it went well or not. */
export interface StepOutput {
  /** The id of this `generate()`: the same in its events, log lines, error and kept artifacts. */
  readonly generationId: string;
  /** Everything the model said, in order. */
  readonly text: string;
  /** The files that were really written, checked on the disk. */
  readonly files: readonly ManifestFile[];
  readonly deniedTools: readonly DeniedTool[];
  readonly warnings: readonly StepWarning[];
  readonly usage: Usage | undefined;
  /** Give it to `resume` to go on in the same conversation. */
  readonly sessionId: string | undefined;
  /** The model that was asked for; `usage.models` tells which ran. */
  readonly model: string | undefined;
  readonly durationMs: number;
  readonly transport: Transport;
  readonly cliVersion: string | undefined;
  /** True where the CLI's session file had to supply what its output lacked. */
  readonly recovered: boolean;
  /** Further turns that were spent on mending what `expects` found missing. */
  readonly repairs: number;
  /** The folder of kept artifacts, with `keepArtifacts`. */
  readonly artifactsDir?: string | undefined;
}

export interface GenerateResult extends StepOutput {
  /** What `expects.json` found in the answer: with a schema in code, what the schema makes of it. */
  readonly data?: unknown;
  /** Path to null for each file on the disk that the run wrote: the manifest in its shortest form. */
  readonly filesWritten: Readonly<Record<string, null>>;
  /** The context of the call, as it was given. */
  readonly context: Readonly<Record<string, unknown>>;
}
