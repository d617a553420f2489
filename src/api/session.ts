/** A thought of the model, as the CLI records it. */
export interface SessionThought {
  /** Headline of the thought. */
  readonly subject?: string | undefined;
  /** Text of the thought. */
  readonly description?: string | undefined;
  /** Time of the thought, ISO 8601. */
  readonly timestamp?: string | undefined;
  readonly [field: string]: unknown;
}

/** Token counts of one answer, as the CLI records them. */
export interface SessionTokens {
  /** Tokens of the prompt, cached ones included. */
  readonly input?: number | undefined;
  /** Tokens of the answer. */
  readonly output?: number | undefined;
  /** Tokens of the prompt that came from the cache. */
  readonly cached?: number | undefined;
  /** Tokens of the thoughts. */
  readonly thoughts?: number | undefined;
  /** Tokens of tool use. */
  readonly tool?: number | undefined;
  /** All tokens. */
  readonly total?: number | undefined;
  readonly [field: string]: unknown;
}

/** Answer of a tool to the model, as the CLI records it in `result` of a tool call. */
export interface SessionFunctionResponse {
  /** The answer. */
  readonly functionResponse: {
    /** Id of the tool call. */
    readonly id?: string | undefined;
    /** Name of the tool. */
    readonly name?: string | undefined;
    /** Output of the tool, or its error. */
    readonly response?:
      | { readonly output?: unknown; readonly error?: unknown; readonly [field: string]: unknown }
      | undefined;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

/** A tool call, as the CLI records it. */
export interface SessionToolCall {
  /** Id of the tool call. */
  readonly id: string;
  /** Name of the tool. */
  readonly name: string;
  /** Arguments of the call. */
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  /** `success`, `error` or `cancelled`. Absent while the tool runs. */
  readonly status?: string | undefined;
  /**
   * Result as the model gets it: a list of `SessionFunctionResponse`, with parts of the Gemini API for text and media
   * beside it. Older versions and damaged files have other forms.
   */
  readonly result?: unknown;
  /** Result as the user sees it: a text, or for edits an object with the diff and the absolute path. */
  readonly resultDisplay?: unknown;
  /** Name of the tool for display. */
  readonly displayName?: string | undefined;
  /** Description of the tool, or of the call. */
  readonly description?: string | undefined;
  /** True if the result for the user is Markdown. */
  readonly renderOutputAsMarkdown?: boolean | undefined;
  /** Id of the sub-agent's session, if the call started one. */
  readonly agentId?: string | undefined;
  /** Time of the call, ISO 8601. */
  readonly timestamp?: string | undefined;
  readonly [field: string]: unknown;
}

/** A message, as the CLI records it, with unknown fields. */
export interface SessionMessage {
  /** Id of the message. */
  readonly id: string;
  /** Time of the message, ISO 8601. */
  readonly timestamp?: string | undefined;
  /** `user`, `gemini`, `info`, `warning` or `error`. */
  readonly type: string;
  /** Content: a string, a part of the Gemini API, or a list of both. */
  readonly content?: unknown;
  /** Thoughts of the model before this answer. */
  readonly thoughts?: readonly SessionThought[] | null | undefined;
  /** Token counts of this answer. */
  readonly tokens?: SessionTokens | null | undefined;
  /** Model that gave this answer. */
  readonly model?: string | undefined;
  /** Tool calls of this answer, with their results. */
  readonly toolCalls?: readonly SessionToolCall[] | undefined;
  readonly [field: string]: unknown;
}

/** Header of a session, as the CLI records it. */
export interface SessionHeader {
  /** Id of the session. */
  readonly sessionId: string;
  /** Start of the session, ISO 8601. */
  readonly startTime?: string | undefined;
  /** Last change of the session, ISO 8601. */
  readonly lastUpdated?: string | undefined;
  /** `main` or `subagent`. */
  readonly kind?: string | undefined;
  /** Summary of the session, if the CLI has written one. */
  readonly summary?: string | undefined;
  readonly [field: string]: unknown;
}

/** A part of a session file that could not be read. */
export interface SessionDiagnostic {
  /**
   * Kind of the problem: an empty file, no header, an incomplete line (`torn-line`), a line or rest that is no record
   * (`garbage`), a message that could be read in part (`damaged-message`), a line that is too long, a file that ends
   * early or was cut (`truncated`), a file that grew while it was read, or a read error (`lost`).
   */
  readonly kind:
    | 'empty'
    | 'no-header'
    | 'torn-line'
    | 'garbage'
    | 'damaged-message'
    | 'overlong-line'
    | 'truncated'
    | 'grew'
    | 'lost';
  /** Description of the problem, on one line. */
  readonly message: string;
  /** Number of the line, from 1. Empty lines are not counted. */
  readonly line?: number | undefined;
}

/** Content of a session file: the last version of each message, in order. */
export interface Session {
  /** Header of the session. Undefined if the file has none. */
  readonly header: SessionHeader | undefined;
  /** All messages, in the order of the session. */
  readonly messages: readonly SessionMessage[];
  /** Messages that were added since the session was started or last resumed. */
  readonly latest: readonly SessionMessage[];
  /** False if a part of the file could not be read. The readable part is here in any case. */
  readonly complete: boolean;
  /** Problems that were found in the file. Empty if `complete` is true. */
  readonly diagnostics: readonly SessionDiagnostic[];
}
