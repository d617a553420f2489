/**
 * Records of `gemini --output-format stream-json`, one per line, with the CLI's own names. `raw` of the events of a headless
 * step is such a record. A newer CLI may leave fields out or add others, so each field may be missing in `raw`.
 */
export type StreamRecord =
  | StreamInit
  | StreamMessage
  | StreamToolUse
  | StreamToolResult
  | StreamError
  | StreamResult;

/** The session has begun. `raw` of `session-init`. */
export interface StreamInit {
  readonly type: 'init';
  /** Time of the record, ISO 8601. */
  readonly timestamp?: string | undefined;
  /** Id of the session. */
  readonly session_id: string;
  /** Model that was asked for. */
  readonly model?: string | undefined;
}

/** The prompt, or a piece of the answer. `raw` of `user-input`, `text` and `text-delta`. */
export interface StreamMessage {
  readonly type: 'message';
  /** Time of the record, ISO 8601. */
  readonly timestamp?: string | undefined;
  /** Author of the text. */
  readonly role: 'user' | 'assistant';
  /** The text. */
  readonly content: string;
  /** True for a piece of an answer. */
  readonly delta?: boolean | undefined;
}

/** The model calls a tool. `raw` of `tool-invocation`. */
export interface StreamToolUse {
  readonly type: 'tool_use';
  /** Time of the record, ISO 8601. */
  readonly timestamp?: string | undefined;
  /** Name of the tool. */
  readonly tool_name: string;
  /** Id of the call. */
  readonly tool_id: string;
  /** Arguments of the call. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

/** A tool call is over. `raw` of `tool-completion`. */
export interface StreamToolResult {
  readonly type: 'tool_result';
  /** Time of the record, ISO 8601. */
  readonly timestamp?: string | undefined;
  /** Id of the call. The record does not name the tool. */
  readonly tool_id: string;
  /** Outcome. The CLI reports a cancelled call as a success. */
  readonly status: 'success' | 'error';
  /** Output for the user, if it is a text. */
  readonly output?: string | undefined;
  /** Class and message of the error. */
  readonly error?: { readonly type: string; readonly message: string } | null | undefined;
}

/** A remark of the CLI. `raw` of `session-status`. */
export interface StreamError {
  readonly type: 'error';
  /** Time of the record, ISO 8601. */
  readonly timestamp?: string | undefined;
  /** Weight of the remark. */
  readonly severity: 'warning' | 'error';
  /** The remark in words. */
  readonly message: string;
}

/** The CLI has finished. `raw` of `turn-complete`. */
export interface StreamResult {
  readonly type: 'result';
  /** Time of the record, ISO 8601. */
  readonly timestamp?: string | undefined;
  /** Outcome as the CLI sees it. It says `success` after several kinds of failure. */
  readonly status: 'success' | 'error';
  /** Class and message of the error. */
  readonly error?: { readonly type: string; readonly message: string } | null | undefined;
  /** Statistics of the run. */
  readonly stats?: StreamStats | undefined;
}

/** Token counts of one model in the statistics of the CLI. */
export interface StreamModelStats {
  /** All tokens. */
  readonly total_tokens?: number | undefined;
  /** Tokens of the prompts, cached ones included. */
  readonly input_tokens?: number | undefined;
  /** Tokens of the answers. */
  readonly output_tokens?: number | undefined;
  /** Tokens of the prompts that came from the cache. */
  readonly cached?: number | undefined;
  /** Tokens of the prompts without the cached ones. */
  readonly input?: number | undefined;
}

/** Statistics of the CLI at the end of a run. */
export interface StreamStats extends StreamModelStats {
  /** Duration in milliseconds by the clock of the CLI. */
  readonly duration_ms?: number | undefined;
  /** Number of tool calls. */
  readonly tool_calls?: number | undefined;
  /** Counts by the name of the model. */
  readonly models?: Readonly<Record<string, StreamModelStats | undefined>> | undefined;
}
