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
  /** Id of the tool call that runs the sub-agent which makes this call. */
  readonly parentCallId?: string | undefined;
}

/**
 * The agent has told more of a running tool call: arguments, title, paths or content that were missing before, or that
 * have changed. The fields are the whole call as it is known now. ACP only.
 */
export interface ToolUpdateEvent extends EventBase {
  readonly type: 'tool-update';
  /** Id of the tool call, the same as in its `tool-invocation`. */
  readonly callId: string;
  /** Name of the tool, the same as in the `tool-invocation`. */
  readonly toolName: string;
  /** Kind of the tool in the Agent Client Protocol. */
  readonly kind: ToolKind;
  /** Category of the tool. */
  readonly category: ToolCategory;
  /** Title of the call for display. */
  readonly title?: string | undefined;
  /** Arguments of the call. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Paths that the call names. */
  readonly locations?: readonly string[] | undefined;
  /** Content that the tool shows so far. Absent if there is none. */
  readonly content?: readonly ToolContent[] | undefined;
}

/**
 * Facts that are derived from a successful tool call and its result, because the wire does not carry them. `kind`,
 * `category` and, in headless steps, `locations` and the name in a completion are derived too: from the name of the tool,
 * the arguments, and the invocation. All other fields come from the wire.
 */
export interface DerivedToolMeaning {
  /** Output of a command. The wire does not carry its exit status. Over ACP the Gemini CLI sends no output. */
  readonly commandOutput?: string | undefined;
  /** File that the tool reports as written: the tool, and the path as the agent wrote it. */
  readonly mutation?: { readonly tool: string; readonly path: string } | undefined;
  /** Unified diff: the output of the tool if it is one, else made of the contents before and after (ACP). */
  readonly diff?: string | undefined;
}

/** Output and exit of a command in a terminal of this package. */
export interface TerminalResult {
  /** Output of the command. Its beginning is missing if it was longer than the agent's limit. */
  readonly output: string;
  /** True if the beginning of the output is missing. */
  readonly isTruncated: boolean;
  /** Exit code. Absent if a signal ended the command, or if it still runs. */
  readonly exitCode?: number | undefined;
  /** Signal that ended the command. */
  readonly signal?: string | undefined;
}

/** Content that a tool shows beside its output: text, diff, terminal, media, resource, or another block. ACP only. */
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
      /** Output and exit so far. Present if the terminal is one of this package (`clientTerminals`). */
      readonly result?: TerminalResult | undefined;
    }
  | {
      readonly type: 'image' | 'audio';
      /** Media type, such as `image/png`. */
      readonly mimeType: string;
      /** Content in base64. */
      readonly data: string;
    }
  | {
      readonly type: 'resource';
      /** Address of the resource. */
      readonly uri: string;
      /** Name of the resource for display. */
      readonly name?: string | undefined;
      /** Media type. */
      readonly mimeType?: string | undefined;
      /** Content, if the agent sent it as text. */
      readonly text?: string | undefined;
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
  /** Output of the tool as text. Absent if the agent reports none. */
  readonly output?: string | undefined;
  /** Output of the tool as the agent sent it beside the text (`rawOutput`). ACP only. */
  readonly rawOutput?: unknown;
  /** Content that the tool shows beside its output. ACP only. */
  readonly content?: readonly ToolContent[] | undefined;
  /** Type and message of the error, for a failed call. */
  readonly error?: { readonly type: string; readonly message: string } | undefined;
  /** Facts derived from the call and its result. Absent if there are none. */
  readonly derived?: DerivedToolMeaning | undefined;
}
