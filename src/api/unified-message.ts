import type { SessionMessage } from './session.js';

export interface UnifiedText {
  readonly type: 'text';
  readonly text: string;
}

export interface UnifiedThinking {
  readonly type: 'thinking';
  /** `subject: description`. */
  readonly thinking: string;
}

export interface UnifiedImage {
  readonly type: 'image';
  readonly source: {
    readonly type: 'base64';
    readonly media_type: string;
    readonly data: string;
  };
}

export interface UnifiedToolUse {
  readonly type: 'tool_use';
  readonly id: string;
  /** `Read`, `Write`, `Edit`, `Glob`, `Grep`, `Bash`, `WebSearch`, `WebFetch`, `TodoWrite`, `Task`; others as they are. */
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface UnifiedToolResult {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  /** Blocks where there is more than text. */
  readonly content: string | readonly (UnifiedText | UnifiedImage)[];
  /** True for a call that failed or was cancelled. */
  readonly is_error: boolean;
}

export type UnifiedContent =
  | UnifiedText
  | UnifiedThinking
  | UnifiedImage
  | UnifiedToolUse
  | UnifiedToolResult;

export interface UnifiedUsage {
  /** Cached tokens included. */
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  /** Where there were some. */
  readonly cache_read_input_tokens?: number | undefined;
  /** Where there were some. */
  readonly thinking_tokens?: number | undefined;
}

/** What a message is for, where it is not part of the conversation. */
export type MessageMark = 'session-context' | 'tool-response' | 'info';

/** A message in the form that Claude's tools use. */
export interface UnifiedMessage {
  readonly id: string;
  /** `system`: what the CLI itself had to say. */
  readonly role: 'user' | 'assistant' | 'system';
  /** In the order thinking, tool_use with its tool_result, text. */
  readonly content: readonly UnifiedContent[];
  /** Milliseconds since 1970; absent where the record has none. */
  readonly timestamp?: number | undefined;
  readonly tool: 'gemini';
  readonly model?: string | undefined;
  readonly usage?: UnifiedUsage | undefined;
  /** Of a `system` message. */
  readonly level?: 'info' | 'warning' | 'error' | undefined;
  /** Only with `extras: "mark"`. */
  readonly mark?: MessageMark | undefined;
  /** As the CLI recorded it. */
  readonly _original: SessionMessage;
}

export interface UnifyOptions {
  /**
   * The context that the CLI puts before the prompt, tool answers that are told to the model a second time,
   * and `info` records: leave them out, or keep them with a `mark`. Default `omit`.
   */
  readonly extras?: 'omit' | 'mark' | undefined;
}
