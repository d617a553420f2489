import type { CostEstimate } from './cost.js';
import type { ExpectationReport } from './expectations.js';
import type { JobReport } from './job-report.js';
import type { ManifestFile } from './manifest.js';
import type { DeniedTool } from './tool.js';
import type { UnifiedMessage } from './unified-message.js';

/** Token counts of one or more model requests. */
export interface TokenCounts {
  /** All tokens, as the agent counts them. */
  readonly total: number;
  /** Tokens of the prompts, cached ones included. */
  readonly input: number;
  /** Tokens of the answers, without thoughts. */
  readonly output: number;
  /** Tokens of the prompts that came from the cache. */
  readonly cached: number;
  /** Tokens of the thoughts, which are billed as output. 0 if the agent does not report them. */
  readonly thoughts: number;
  /** Tokens of tool use inside the API, which are billed as input. 0 if the agent does not report them. */
  readonly tool: number;
}

/** Tokens and tool calls of a step or a batch. */
export interface Usage extends TokenCounts {
  /** Tokens by the name of the model that really ran, sub-agents included. */
  readonly models: Readonly<Record<string, TokenCounts>>;
  /** Number of tool calls. */
  readonly toolCalls: number;
}

/** Codes of warnings. `src/step/README.md` explains each of them. */
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
  | 'PROTECTED_PATH'
  | 'PROTECTED_PATH_CHANGED'
  | 'NOT_ISOLATED'
  | 'PROCESSES_LEFT'
  | 'ARTIFACTS_NOT_KEPT';

/** A remark about a step that does not make the step fail. */
export interface StepWarning {
  /** Code of the warning. */
  readonly code: WarningCode;
  /** The warning in words, without secrets. */
  readonly message: string;
  /** Number of occurrences, for warnings that can occur more than once. */
  readonly count?: number | undefined;
}

/** Way in which the agent is driven: one process per step (`headless`), or warm processes (`acp`). */
export type Transport = 'headless' | 'acp';

/** Output of a step, complete for a success and partial for a failure. */
export interface StepOutput {
  /** Id of this `generate()`. Events, log lines, the error and kept artifacts carry the same id. */
  readonly generationId: string;
  /** Answers of the model in order. Answers to two prompts have an empty line between them. */
  readonly text: string;
  /** Files that the step touched, checked on disk. */
  readonly files: readonly ManifestFile[];
  /** Tool calls that were refused, one entry per call. */
  readonly deniedTools: readonly DeniedTool[];
  /** Remarks that did not make the step fail. */
  readonly warnings: readonly StepWarning[];
  /** Tokens and tool calls, repairs included. Undefined if the agent reports none. */
  readonly usage: Usage | undefined;
  /** Estimate of the cost by list price, repairs included. Absent if `usage` is. */
  readonly cost?: CostEstimate | undefined;
  /** Id of the agent's session. Pass it to `resume` to continue the session. */
  readonly sessionId: string | undefined;
  /** Model that was asked for. `usage.models` has the models that really ran. */
  readonly model: string | undefined;
  /** Duration of the step in milliseconds. */
  readonly durationMs: number;
  /** Way in which the agent was driven. */
  readonly transport: Transport;
  /** Version of the CLI. Undefined if it is not known. */
  readonly cliVersion: string | undefined;
  /** True if the CLI's session file supplied text or token counts that its output lacked. */
  readonly recovered: boolean;
  /** Further turns that were spent on repairs of failed conditions of `expects`. */
  readonly repairs: number;
  /** Results of the conditions of `expects`, as they were checked last, at most 100. Absent if none was checked. */
  readonly expectations?: readonly ExpectationReport[] | undefined;
  /** Folder with the kept artifacts. Present with `keepArtifacts`. */
  readonly artifactsDir?: string | undefined;
  /** Where the step ran. Present if the step came through a queue. */
  readonly job?: JobReport | undefined;
}

/** Result of a successful step. `Context` is the type of the context that the caller gave. */
export interface GenerateResult<Context = Readonly<Record<string, unknown>>> extends StepOutput {
  /** JSON that `expects.json` extracted from the answer. With a schema in code, the output of the schema. */
  readonly data?: unknown;
  /**
   * Messages of this step in the form of Claude's tools: prompts, thoughts, tool calls with their results, answers. Present
   * in the results of `generate()` and `execute()`. The result in a `turn-complete` event does not repeat them: the events
   * before it have them.
   */
  readonly messages?: readonly UnifiedMessage[] | undefined;
  /** Paths of the files in `files` that exist after the step, each with the value `null`. */
  readonly filesWritten: Readonly<Record<string, null>>;
  /** Context of the call, as it was given. */
  readonly context: Context;
}
