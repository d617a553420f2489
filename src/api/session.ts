import type { TokenCounts } from './result.js';

/** A model's thought as the CLI records it. */
export interface SessionThought {
  readonly subject?: string | undefined;
  readonly description?: string | undefined;
  readonly timestamp?: string | undefined;
  readonly [field: string]: unknown;
}

export interface SessionTokens {
  /** Tokens of the prompt, cached ones included. */
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  readonly cached?: number | undefined;
  readonly thoughts?: number | undefined;
  readonly tool?: number | undefined;
  readonly total?: number | undefined;
  readonly [field: string]: unknown;
}

export interface SessionToolCall {
  readonly id: string;
  readonly name: string;
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  /** `success`, `error` or `cancelled`; absent while it runs. */
  readonly status?: string | undefined;
  /** What the model was told. */
  readonly result?: unknown;
  /** What a person was shown: a text, or for edits an object with the diff and the absolute path. */
  readonly resultDisplay?: unknown;
  /** The session of the sub-agent that the call started. */
  readonly agentId?: string | undefined;
  readonly timestamp?: string | undefined;
  readonly [field: string]: unknown;
}

/** A message as the CLI records it, fields we do not know included. */
export interface SessionMessage {
  readonly id: string;
  /** ISO 8601. */
  readonly timestamp?: string | undefined;
  /** `user`, `gemini`, `info`, `warning` or `error`. */
  readonly type: string;
  /** A string, a part, or a list of both. */
  readonly content?: unknown;
  readonly thoughts?: readonly SessionThought[] | null | undefined;
  readonly tokens?: SessionTokens | null | undefined;
  readonly model?: string | undefined;
  readonly toolCalls?: readonly SessionToolCall[] | undefined;
  readonly [field: string]: unknown;
}

export interface SessionHeader {
  readonly sessionId: string;
  readonly startTime?: string | undefined;
  readonly lastUpdated?: string | undefined;
  /** `main` or `subagent`. */
  readonly kind?: string | undefined;
  readonly summary?: string | undefined;
  readonly [field: string]: unknown;
}

/** Something in a session file that could not be read. */
export interface SessionDiagnostic {
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
  /** One line for people. */
  readonly message: string;
  /** From 1 on, empty lines not counted. */
  readonly line?: number | undefined;
}

/** A session as its file leaves it: the last version of each message, in order. */
export interface Session {
  readonly header: SessionHeader | undefined;
  readonly messages: readonly SessionMessage[];
  /** Those that were added since the session was begun or resumed. */
  readonly latest: readonly SessionMessage[];
  /** False where some of the file could not be read; what could be is here all the same. */
  readonly complete: boolean;
  readonly diagnostics: readonly SessionDiagnostic[];
}

/** Where to look for sessions. */
export interface SessionLocation {
  /** Default for `listSessions`: all projects. For `latest` and numbers: the current directory. */
  readonly projectDir?: string | undefined;
  /** The CLI's `.gemini` folder. Default: that of `GEMINI_CLI_HOME`, else of the home directory. */
  readonly geminiHome?: string | undefined;
}

export interface ListSessionsOptions extends SessionLocation {
  /** At most so many, the newest. Default: all. */
  readonly limit?: number | undefined;
  /** Sessions of sub-agents too. Default false. */
  readonly subagents?: boolean | undefined;
  /**
   * `auto` counts what is cheap to count: small files, and the newest of the large ones. `exact` reads every
   * file that is listed. Default `auto`.
   */
  readonly counts?: 'auto' | 'exact' | undefined;
}

/** What a list of sessions shows of each. */
export interface SessionInfo {
  readonly id: string;
  readonly file: string;
  /** The CLI's short name of the project, or the hash that older versions used. */
  readonly projectName: string;
  readonly projectDir?: string | undefined;
  /** Number of the session in its project, as `--resume` takes it: 1 is the oldest. */
  readonly number?: number | undefined;
  /** `main` or `subagent`. */
  readonly kind: string;
  /** Of a sub-agent: the session that started it. */
  readonly parentId?: string | undefined;
  /** ISO 8601. */
  readonly startedAt?: string | undefined;
  readonly updatedAt: string;
  /** The beginning of it, on one line. */
  readonly firstPrompt?: string | undefined;
  readonly summary?: string | undefined;
  /** That of the last answer. */
  readonly model?: string | undefined;
  /** As many as `getMessages` gives. Absent for a large file that was not counted. */
  readonly messageCount?: number | undefined;
  readonly tokens?: TokenCounts | undefined;
  readonly bytes: number;
}
