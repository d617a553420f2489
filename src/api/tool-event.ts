import type { EventBase } from './event-base.js';
import type { ToolCategory, ToolKind } from './tool.js';

/** The model calls a tool. */
export interface ToolInvocationEvent extends EventBase {
  readonly type: 'tool-invocation';
  /** Id of the tool call. The `tool-completion` of this call has the same id. */
  readonly callId: string;
  /** Name of the tool, as the agent calls it. */
  readonly toolName: string;
  /** Kind of the tool in the Agent Client Protocol. */
  readonly kind: ToolKind;
  /** Category of the tool, derived from its exact name. */
  readonly category: ToolCategory;
  /** Title of the call for display. Absent in headless steps. */
  readonly title?: string | undefined;
  /** Arguments of the call. Over ACP the Gemini CLI reports the path and the command alone. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Paths in the arguments, as the model wrote them. Absent if the call names none. */
  readonly locations?: readonly string[] | undefined;
}

/** Facts that are derived from a tool call and its result, because the wire does not carry them. */
export interface DerivedToolMeaning {
  /** Output of `run_shell_command`. The wire does not carry the exit status of the command. */
  readonly commandOutput?: string | undefined;
  /** File that `write_file` or `replace` reports as written: the tool, and the path as the model wrote it. */
  readonly mutation?: { readonly tool: string; readonly path: string } | undefined;
  /** Output of the tool, if it is a unified diff. */
  readonly diff?: string | undefined;
}

/** Content that a tool shows beside its output: a text, a diff, a terminal, or a block of another type. ACP only. */
export type ToolContent =
  | {
      readonly type: 'text';
      /** The text. */
      readonly text: string;
    }
  | {
      readonly type: 'diff';
      /** Path of the file, as the agent reports it. */
      readonly path: string;
      /** Content before the edit. `null` if the file did not exist. */
      readonly oldText: string | null;
      /** Content after the edit. */
      readonly newText: string;
    }
  | {
      readonly type: 'terminal';
      /** Id of the terminal that runs the command. */
      readonly terminalId: string;
    }
  | {
      readonly type: 'other';
      /** Block as it came over the wire. */
      readonly raw: unknown;
    };

/** A tool call is over. */
export interface ToolCompletionEvent extends EventBase {
  readonly type: 'tool-completion';
  /** Id of the tool call, the same as in its `tool-invocation`. */
  readonly callId: string;
  /** Name of the tool, taken from the invocation. Undefined for a result without an invocation. */
  readonly toolName: string | undefined;
  /** Kind of the tool in the Agent Client Protocol. `other` for a result without an invocation. */
  readonly kind: ToolKind;
  /** Category of the tool. `unknown` for a result without an invocation. */
  readonly category: ToolCategory;
  /** Outcome of the call. A refused call is `failed`. */
  readonly status: 'completed' | 'failed';
  /** True if `status` is `failed`. */
  readonly isError: boolean;
  /** Output of the tool. Absent if the agent reports none. */
  readonly output?: string | undefined;
  /** Content that the tool shows beside its output. ACP only. */
  readonly content?: readonly ToolContent[] | undefined;
  /** Type and message of the error, for a failed call. */
  readonly error?: { readonly type: string; readonly message: string } | undefined;
  /** Facts derived from the call and its result. Absent if there are none. */
  readonly derived?: DerivedToolMeaning | undefined;
}
