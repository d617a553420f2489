import type { SessionMessage } from './session.js';

/** A text block. */
export interface UnifiedText {
  readonly type: 'text';
  /** The text. */
  readonly text: string;
}

/** A thought of the model. */
export interface UnifiedThinking {
  readonly type: 'thinking';
  /** Subject and description of the thought: `subject: description`. */
  readonly thinking: string;
}

/** An image. */
export interface UnifiedImage {
  readonly type: 'image';
  /** Data of the image. */
  readonly source: {
    /** Encoding of `data`. */
    readonly type: 'base64';
    /** Media type, such as `image/png`. */
    readonly media_type: string;
    /** Content of the image in Base64. */
    readonly data: string;
  };
}

/** A tool call. */
export interface UnifiedToolUse {
  readonly type: 'tool_use';
  /** Id of the tool call. */
  readonly id: string;
  /**
   * Claude's name of the tool: `Read`, `Write`, `Edit`, `Glob`, `Grep`, `Bash`, `WebSearch`, `WebFetch`, `TodoWrite`
   * or `Task`. Other tools keep their own names.
   */
  readonly name: string;
  /** Arguments under the names that Claude's tool uses. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** Result of a tool call. */
export interface UnifiedToolResult {
  readonly type: 'tool_result';
  /** Id of the tool call. */
  readonly tool_use_id: string;
  /** Output of the tool: a text, or blocks if there are images too. */
  readonly content: string | readonly (UnifiedText | UnifiedImage)[];
  /** True for a call that failed or was cancelled. */
  readonly is_error: boolean;
}

/** A block of a message. */
export type UnifiedContent =
  | UnifiedText
  | UnifiedThinking
  | UnifiedImage
  | UnifiedToolUse
  | UnifiedToolResult;

/** Token counts of one answer. */
export interface UnifiedUsage {
  /** Tokens of the prompt, cached ones included. */
  readonly input_tokens: number;
  /** Tokens of the answer. */
  readonly output_tokens: number;
  /** All tokens. */
  readonly total_tokens: number;
  /** Tokens of the prompt that came from the cache. Absent if there are none. */
  readonly cache_read_input_tokens?: number | undefined;
  /** Tokens of the thoughts. Absent if there are none. */
  readonly thinking_tokens?: number | undefined;
}

/**
 * Mark of a message that is no part of the conversation: context that the CLI puts before the prompt, a tool result
 * that is repeated to the model, or a record of the type `info`.
 */
export type MessageMark = 'session-context' | 'tool-response' | 'info';

/** A message in the form that Claude's tools use. */
export interface UnifiedMessage {
  /** Id of the message in the session file. */
  readonly id: string;
  /** Author of the message. `system` marks messages of the CLI itself. */
  readonly role: 'user' | 'assistant' | 'system';
  /** Blocks in this order: thinking, tool_use with its tool_result, text and images. */
  readonly content: readonly UnifiedContent[];
  /** Time of the message in milliseconds since 1970. Absent if the record has none. */
  readonly timestamp?: number | undefined;
  /** Name of the agent: `gemini` for the Gemini CLI. Another agent names itself, or is called `agent`. */
  readonly tool: string;
  /** Model that gave the answer. */
  readonly model?: string | undefined;
  /** Token counts of the answer. */
  readonly usage?: UnifiedUsage | undefined;
  /** Level of a `system` message. */
  readonly level?: 'info' | 'warning' | 'error' | undefined;
  /** Mark of a message that is no part of the conversation. Present with `extras: 'mark'` alone. */
  readonly mark?: MessageMark | undefined;
  /** Record of the session file, unchanged. */
  readonly _original: SessionMessage;
}

/** Options of `toUnifiedMessages`, `getMessages`, `loadMessages` and `watchSession`. */
export interface UnifyOptions {
  /**
   * Messages that are no part of the conversation: context that the CLI puts before the prompt, tool results that are
   * repeated to the model, and `info` records. `omit` leaves them out; `mark` keeps them with a `mark`.
   *
   * @defaultValue `'omit'`
   */
  readonly extras?: 'omit' | 'mark' | undefined;
}
