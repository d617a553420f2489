import type { AcpOptions } from './acp-options.js';
import type { PriceTable } from './cost.js';
import type { Duration } from './duration.js';
import type { Expectations } from './expectations.js';
import type { Logger } from './logger.js';
import type { ProcessIsolation } from './process-isolation.js';
import type { Transport } from './result.js';

/**
 * Approval mode of a step. `default`: the agent may read. `auto_edit`: it may also write files. `yolo`: it may also
 * run shell commands. `plan`: it may read and plan.
 */
export type ApprovalMode = 'default' | 'auto_edit' | 'yolo' | 'plan';
/** Way in which the prompt reaches the CLI. `auto` is `stdin`. */
export type PromptDelivery = 'auto' | 'stdin' | 'file';
/** Comparison of the workspace before and after a step. `auto`: if tools may write files unseen. */
export type WorkspaceScan = 'auto' | 'always' | 'off';

/**
 * A system prompt. `replace` puts it in the place of the CLI's own (GEMINI_SYSTEM_MD). `prepend` puts it before the
 * prompt and keeps the CLI's own. A plain string is prepended.
 */
export type SystemPrompt =
  | string
  | { readonly mode: 'replace' | 'prepend'; readonly text: string }
  | { readonly mode: 'replace' | 'prepend'; readonly file: string };

/** Options of `GeminiCliProvider`. The snake_case spelling of each key works too. */
export interface ProviderConfig extends AcpOptions {
  /**
   * Name of the model (`-m`). Without it the CLI chooses one, which costs one more request for each prompt.
   *
   * @defaultValue the CLI's choice
   */
  readonly model?: string | undefined;
  /**
   * Tools that the agent may use: `default`, `auto_edit`, `yolo` or `plan`.
   *
   * @defaultValue `'auto_edit'`: files may be written, shell commands may not run
   */
  readonly approvalMode?: ApprovalMode | undefined;
  /**
   * Further workspace folders. Each must exist and have no comma in its path, because the CLI splits the list at
   * commas.
   *
   * @defaultValue `[]`
   */
  readonly includeDirectories?: string | readonly string[] | undefined;
  /**
   * Tools to allow beyond the approval mode: `write_file`, `run_shell_command(npm test)`.
   *
   * @defaultValue `[]`
   */
  readonly allowedTools?: string | readonly string[] | undefined;
  /**
   * Tools to refuse in every approval mode, in the same form as `allowedTools`.
   *
   * @defaultValue `[]`
   */
  readonly deniedTools?: string | readonly string[] | undefined;
  /**
   * Let allowed shell commands redirect their input and output (`>`, `>>`, `<`): `true` for all rules in
   * `allowedTools`, `false` for none, or a list with some of these rules.
   *
   * @defaultValue only for the rule `run_shell_command`, which allows every command
   */
  readonly allowRedirection?: boolean | string | readonly string[] | undefined;
  /**
   * Files that the agent may not change, beside those that the agent itself obeys at its next start: globs relative to
   * the workspace, or absolute paths. An entry `!.env` takes a default away. `false` protects nothing.
   *
   * @defaultValue `[]`: `.gemini/**`, `.env`, `.git/config`, `.git/hooks/**`, `.git/info/**`, a file `.git` and
   * `gemini-cli-provider.*` (config files of this package), except in the mode `yolo`
   */
  readonly protectedPaths?: string | readonly string[] | false | undefined;
  /**
   * Run the CLI in a sandbox: `true` for the CLI's choice, or the command (`docker`, `podman`, …).
   *
   * @defaultValue `false`
   */
  readonly sandbox?: boolean | string | undefined;
  /**
   * Folder in which the CLI runs.
   *
   * @defaultValue `context.projectRoot`, or the current directory
   */
  readonly workingDir?: string | undefined;
  /**
   * Time for the whole step, with checks of `expects` and repairs: seconds, or a text as `10m`.
   *
   * @defaultValue `600`
   */
  readonly timeout?: Duration | undefined;
  /**
   * Time without any output of the CLI: seconds, or a text as `90s`. The CLI needs one or two seconds before its first output.
   *
   * @defaultValue off
   */
  readonly idleTimeout?: Duration | undefined;
  /**
   * Time until the first event from the CLI: seconds, or a text as `90s`.
   *
   * @defaultValue `60`
   */
  readonly startTimeout?: Duration | undefined;
  /**
   * Stop the step after this many failed attempts of one API request. The CLI's own limit is 10, which can take
   * minutes.
   *
   * @defaultValue the CLI's limit
   */
  readonly maxCliAttempts?: number | undefined;
  /**
   * Way in which the prompt reaches the CLI: `stdin`, `file` (the model is told to read a file), or `auto` (stdin).
   *
   * @defaultValue `'auto'`
   */
  readonly promptDelivery?: PromptDelivery | undefined;
  /**
   * Let the CLI replace `@path` in the prompt by the content of that file. Needs `transport: 'headless'`.
   *
   * @defaultValue `false`: the prompt arrives as it is written
   */
  readonly expandAt?: boolean | undefined;
  /**
   * System prompt: a text that is put before the prompt, `{ mode, text }` or `{ mode, file }`.
   *
   * @defaultValue none
   */
  readonly systemPrompt?: SystemPrompt | undefined;
  /**
   * Session to continue: its id, its number from 1, or `latest`.
   *
   * @defaultValue a new session
   */
  readonly resume?: string | number | undefined;
  /**
   * Id of the new session: letters, digits, `-` and `_`. Needs `transport: 'headless'`.
   *
   * @defaultValue a new UUID
   */
  readonly sessionId?: string | undefined;
  /**
   * Trust the working directory for this step. Its settings, hooks and MCP servers may then run.
   *
   * @defaultValue `false`
   */
  readonly trustWorkspace?: boolean | undefined;
  /**
   * Environment variables for the CLI beside the allow-list: a value, or `true` to pass on the caller's value.
   *
   * @defaultValue `{}`
   */
  readonly env?: Readonly<Record<string, string | true>> | undefined;
  /**
   * Pass on the caller's whole environment instead of the allow-list.
   *
   * @defaultValue `false`
   */
  readonly inheritEnv?: boolean | undefined;
  /**
   * Names of further variables whose values are removed from errors, logs and kept artifacts, however short they are.
   * Values of variables such as `GEMINI_API_KEY` are removed without being named.
   *
   * @defaultValue `[]`
   */
  readonly secrets?: string | readonly string[] | undefined;
  /**
   * Path of the CLI's executable, or its name on `PATH`.
   *
   * @defaultValue `GEMINI_CLI_PATH`; else the project, `PATH` and the usual install folders are searched
   */
  readonly cliPath?: string | undefined;
  /**
   * Further flags for the CLI. Flags that this package sets itself are refused.
   *
   * @defaultValue `[]`
   */
  readonly extraArgs?: string | readonly string[] | undefined;
  /**
   * Keep the compiled code of the CLI in a private folder below the user's cache directory, so that the CLI starts faster.
   * Takes effect with Node 22.1 or newer. A `NODE_COMPILE_CACHE` in `env` is used in its place.
   *
   * @defaultValue `true`
   */
  readonly compileCache?: boolean | undefined;
  /**
   * Means of the system that hold the processes below the agent together, so that even a daemon ends with the step:
   * `auto`, `cgroup`, `subreaper`, `namespace` or `off`. Linux only.
   *
   * @defaultValue `'auto'`: a cgroup if this user may create one, else a subreaper if `perl` is installed
   */
  readonly processIsolation?: ProcessIsolation | undefined;
  /**
   * Compare the workspace before and after the step: `auto`, `always` or `off`.
   *
   * @defaultValue `'auto'`: if shell commands, sub-agents or MCP tools may write
   */
  readonly workspaceScan?: WorkspaceScan | undefined;
  /**
   * Keep the files of the step (prompt, output, policy) without secrets: `true` for a temporary folder, or a path.
   *
   * @defaultValue `false`
   */
  readonly keepArtifacts?: boolean | string | undefined;
  /**
   * Conditions to check after a successful turn: files, texts, JSON, commands.
   *
   * @defaultValue none
   */
  readonly expects?: Expectations | undefined;
  /**
   * Further turns in the same session to repair failed conditions of `expects`, from 0 to 10.
   *
   * @defaultValue `0`
   */
  readonly repair?: number | undefined;
  /**
   * Take no further repair turn once the step has cost this many US dollars by list price. Needs a model with a known
   * price: see `prices`.
   *
   * @defaultValue no limit
   */
  readonly maxCost?: number | undefined;
  /**
   * Prices of models in US dollars per million tokens, for the estimate in `result.cost`. They win over the built-in list
   * prices.
   *
   * @defaultValue the built-in list prices
   */
  readonly prices?: PriceTable | undefined;
  /**
   * Way in which the CLI is driven: one process per step (`headless`), or warm processes (`acp`).
   *
   * @defaultValue `'headless'`
   */
  readonly transport?: Transport | undefined;
  /**
   * Make errors of unknown keys, of tool names that the CLI does not have, and of options without effect. Without it they are
   * warnings.
   *
   * @defaultValue `false`
   */
  readonly strict?: boolean | undefined;
  /**
   * Logger with pino's methods `debug`, `info`, `warn` and `error`.
   *
   * @defaultValue silent
   */
  readonly logger?: Logger | undefined;
}
