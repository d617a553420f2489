import type { ClientFileHooks } from '../api/client-file-hooks.js';
import type { Expectations, SchemaLike } from '../api/expectations.js';
import type { Logger } from '../api/logger.js';
import type { McpServer } from '../api/mcp-server.js';
import type { OnPermission } from '../api/permission.js';
import type { Transport } from '../api/result.js';
import type { PoolOptions, WarmPool } from '../api/warm-pool.js';

export type ApprovalMode = 'default' | 'auto_edit' | 'yolo' | 'plan';
export type PromptDelivery = 'auto' | 'stdin' | 'file';
export type WorkspaceScan = 'auto' | 'always' | 'off';
/** What happens when a tool needs a permission that no rule gives. */
export type Unattended = 'reject' | 'fail';

/**
 * A system prompt, and what it does to the CLI's own: `replace` puts it in its place (GEMINI_SYSTEM_MD),
 * `prepend` puts it before the prompt and leaves the CLI's own alone.
 */
export type SystemPrompt =
  | string
  | { readonly mode: 'replace' | 'prepend'; readonly text: string }
  | { readonly mode: 'replace' | 'prepend'; readonly file: string };

/** Every option of `GeminiCliProvider`. The snake_case spelling of each key works too. */
export interface ProviderConfig {
  /** The model (`-m`). Default: the CLI's choice, which costs one more request for each prompt. */
  readonly model?: string | undefined;
  /** Default `auto_edit`: files may be written, shell commands may not run. */
  readonly approvalMode?: ApprovalMode | undefined;
  /** More workspace folders; each must exist, none may have a comma in its path. Default: none. */
  readonly includeDirectories?: readonly string[] | undefined;
  /** Tools to allow on top of the approval mode: `write_file`, `run_shell_command(npm test)`. Default: none. */
  readonly allowedTools?: readonly string[] | undefined;
  /** Tools to refuse whatever the approval mode says; same form. Default: none. */
  readonly deniedTools?: readonly string[] | undefined;
  /** `true` for the CLI's choice of sandbox, or the command (`docker`, `podman`, …). Default: off. */
  readonly sandbox?: boolean | string | undefined;
  /** Where the CLI runs. Default: `context.projectRoot`, else the current directory. */
  readonly workingDir?: string | undefined;
  /** Seconds for the whole run, checks of `expects` and repairs included. Default 600. */
  readonly timeout?: number | undefined;
  /** Seconds without any output on stdout or stderr; the CLI needs one or two before its first. Default: off. */
  readonly idleTimeout?: number | undefined;
  /** Seconds until the CLI reports for duty. Default 60. */
  readonly startTimeout?: number | undefined;
  /** End the run when the CLI itself has tried a request this often. Default: the CLI's ten attempts. */
  readonly maxCliAttempts?: number | undefined;
  /** `stdin`, `file` (the model is told to read the file), or `auto`, which is stdin. Default `auto`. */
  readonly promptDelivery?: PromptDelivery | undefined;
  /** Let the CLI replace `@path` in the prompt by that file. Default false: the prompt arrives as written. */
  readonly expandAt?: boolean | undefined;
  /** A plain string is put before the prompt. Default: none. */
  readonly systemPrompt?: SystemPrompt | undefined;
  /** Go on in an earlier session: its id, its number, or `latest`. Default: a fresh session. */
  readonly resume?: string | number | undefined;
  /** The id of the new session: letters, digits, `-` and `_`. Default: a fresh UUID. */
  readonly sessionId?: string | undefined;
  /** Trust the working directory for this run: its settings, hooks and MCP servers may run. Default false. */
  readonly trustWorkspace?: boolean | undefined;
  /** Variables for the CLI beside the allow-list: a value, or `true` to pass ours on. Default: none. */
  readonly env?: Readonly<Record<string, string | true>> | undefined;
  /** Pass our whole environment on. Default false. */
  readonly inheritEnv?: boolean | undefined;
  /** The CLI's executable. Default: looked for, see `validate()`. */
  readonly cliPath?: string | undefined;
  /** More flags for the CLI; those this package sets itself are refused. Default: none. */
  readonly extraArgs?: readonly string[] | undefined;
  /**
   * Compare the workspace before and after. `auto`: where shell commands, sub-agents or MCP tools may write.
   * Default `auto`.
   */
  readonly workspaceScan?: WorkspaceScan | undefined;
  /** Keep the run's files (prompt, output, policy), secrets taken out; `true` or the folder. Default false. */
  readonly keepArtifacts?: boolean | string | undefined;
  /** What must be true of a run that ended well: files, texts, JSON, commands. Default: nothing. */
  readonly expects?: Expectations | undefined;
  /** Further turns in the same session to mend what `expects` found missing; at most 10. Default 0. */
  readonly repair?: number | undefined;
  /** `acp` keeps processes warm between steps, for batches. Default `headless`: one process for each step. */
  readonly transport?: Transport | undefined;
  /** With `acp`: how processes are kept, or a pool to share. Default: one process, eight steps at a time. */
  readonly pool?: PoolOptions | WarmPool | undefined;
  /** With `acp`: MCP servers for the session, beside those of the settings. Default: none. */
  readonly mcpServers?: readonly McpServer[] | undefined;
  /** With `acp`: decides each permission request in place of the rules. Default: the rules decide. */
  readonly onPermission?: OnPermission | undefined;
  /** With `acp`: seconds for `onPermission`; after them the answer is no. Default 60. */
  readonly permissionTimeout?: number | undefined;
  /** With `acp`: `reject` what no rule allows and go on, or `fail` the run. Default `reject`. */
  readonly unattended?: Unattended | undefined;
  /** With `acp`: let the agent read and write text files through us, inside the workspace. Default false. */
  readonly clientFiles?: boolean | ClientFileHooks | undefined;
  /** With `acp`: let the agent run commands through us, as far as the rules allow them. Default false. */
  readonly clientTerminals?: boolean | undefined;
  /** Any pino-compatible logger. Default: silent. */
  readonly logger?: Logger | undefined;
}

/** What one call may set: anything of the configuration, and a signal to end it. */
export interface GenerateOptions extends ProviderConfig {
  readonly signal?: AbortSignal | undefined;
}

/** The same with a schema in code for the JSON of the answer: its type is that of `result.data`. */
export interface GenerateOptionsWith<Schema extends SchemaLike> extends GenerateOptions {
  readonly expects: Expectations & { readonly json: Schema };
}

/** What a schema in code makes of an answer. */
export type DataOf<Schema extends SchemaLike> = Extract<
  ReturnType<Schema['safeParse']>,
  { readonly success: true }
>['data'];
