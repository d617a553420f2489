import type { AgentEvent } from './agent-event.js';
import type { ProviderErrorData } from './error.js';
import type { GenerateOptions } from './generate-options.js';
import type { ManifestFile } from './manifest.js';
import type { ContextKeys } from './response-provider.js';
import type { GenerateResult, Usage } from './result.js';
import type { UnifiedMessage } from './unified-message.js';

/**
 * What an agent may do without asking, in the words of Claude's tools. Each mode stands for an approval mode: `default` for
 * `default`, `acceptEdits` for `auto_edit`, `bypassPermissions` for `yolo`, `plan` for `plan`.
 */
export type PermissionMode = 'default' | 'acceptEdits' | 'bypassPermissions' | 'plan';

/** Options of `execute()`: those of a step, with a permission mode in the place of `approvalMode`. */
export interface ExecuteOptions extends Omit<GenerateOptions, 'approvalMode'> {
  /** The prompt. Empty if `promptFile` names one. */
  readonly prompt: string;
  /**
   * File with the prompt, relative to the working directory.
   *
   * @defaultValue none
   */
  readonly promptFile?: ContextKeys['promptFile'];
  /**
   * What the agent may do without asking.
   *
   * @defaultValue `'acceptEdits'`: files may be written, shell commands may not run
   */
  readonly permissionMode?: PermissionMode | undefined;
  /**
   * Called with each event while the step runs. An exception cancels the step and is thrown by `execute()`.
   *
   * @defaultValue none
   */
  readonly onEvent?: ((event: AgentEvent) => void) | undefined;
}

/** Result of `execute()` if the step succeeded. */
export interface ExecuteSuccess extends Omit<GenerateResult, 'context' | 'messages'> {
  /** True: the step succeeded. */
  readonly success: true;
  /** Messages of the step in the form of Claude's tools. */
  readonly messages: readonly UnifiedMessage[];
}

/** Result of `execute()` if the step failed, with what it had produced until then. */
export interface ExecuteFailure {
  /** False: the step failed. */
  readonly success: false;
  /** Why the step failed, whether to retry, and what to do: the `ProviderError` that `generate()` would throw. */
  readonly error: Error & ProviderErrorData;
  /** Messages of the step in the form of Claude's tools, as far as it had come. */
  readonly messages: readonly UnifiedMessage[];
  /** Answers of the model until the failure. */
  readonly text: string;
  /** Files that the step touched until the failure, checked on disk. */
  readonly files: readonly ManifestFile[];
  /** Tokens and tool calls until the failure. Undefined if they are not known. */
  readonly usage: Usage | undefined;
  /** Id of the agent's session. Undefined if there is none. */
  readonly sessionId: string | undefined;
}

/** Result of `execute()`. A failed step is a result too: `success` tells them apart. */
export type ExecuteResult = ExecuteSuccess | ExecuteFailure;
