import type { CostEstimate, PriceTable } from './cost.js';
import type { TokenCounts } from './result.js';
import type { UnifyOptions } from './unified-message.js';

/** Location of session files. */
export interface SessionLocation {
  /**
   * Folder of the project.
   *
   * @defaultValue all projects for `listSessions`; the current directory for `loadMessages`, `latest` and session numbers
   */
  readonly projectDir?: string | undefined;
  /**
   * The CLI's `.gemini` folder.
   *
   * @defaultValue `.gemini` in `GEMINI_CLI_HOME`, or in the home directory if that variable is not set
   */
  readonly geminiHome?: string | undefined;
}

/** Options of `loadMessages`. */
export interface LoadMessagesOptions extends SessionLocation, UnifyOptions {
  /**
   * The session: its id, the first eight characters of the id, its number in the project, `latest`, or the path of a file.
   *
   * @defaultValue the session of the project that was changed last
   */
  readonly sessionId?: string | number | undefined;
}

/** Options of `listSessions`. */
export interface ListSessionsOptions extends SessionLocation {
  /**
   * Largest number of sessions in the list. The newest come first.
   *
   * @defaultValue no limit
   */
  readonly limit?: number | undefined;
  /**
   * List sessions of sub-agents too.
   *
   * @defaultValue `false`
   */
  readonly subagents?: boolean | undefined;
  /**
   * Files in which messages and tokens are counted. `auto` counts in small files and in the newest 4 MB of the larger
   * ones. `exact` reads every listed file.
   *
   * @defaultValue `'auto'`
   */
  readonly counts?: 'auto' | 'exact' | undefined;
  /**
   * Prices of models for the estimated cost of each counted session, in addition to the built-in list prices.
   *
   * @defaultValue the built-in list prices
   */
  readonly prices?: PriceTable | undefined;
}

/** A session in a list of sessions. */
export interface SessionInfo {
  /** Id of the session. */
  readonly id: string;
  /** Path of the session file. */
  readonly file: string;
  /** Name of the CLI's folder for the project: a short name, or a hash in older versions. */
  readonly projectName: string;
  /** Folder of the project. Absent if the CLI has not recorded it. */
  readonly projectDir?: string | undefined;
  /** Number of the session in its project, as `--resume` takes it. 1 is the oldest. */
  readonly number?: number | undefined;
  /** `main` or `subagent`. */
  readonly kind: string;
  /** Id of the session that started the sub-agent. */
  readonly parentId?: string | undefined;
  /** Start of the session, ISO 8601. */
  readonly startedAt?: string | undefined;
  /** Last change of the session, ISO 8601. */
  readonly updatedAt: string;
  /** First prompt on one line, cut after 200 characters. */
  readonly firstPrompt?: string | undefined;
  /** Summary of the session, if the CLI has written one. */
  readonly summary?: string | undefined;
  /** Model of the last answer. */
  readonly model?: string | undefined;
  /** Number of messages that `getMessages` returns. Absent for a file that was not counted. */
  readonly messageCount?: number | undefined;
  /** Tokens of all answers. Absent for a file that was not counted. */
  readonly tokens?: TokenCounts | undefined;
  /** Estimate of the cost of all answers by list price. Absent for a file that was not counted, and without tokens. */
  readonly cost?: CostEstimate | undefined;
  /** Size of the session file in bytes. */
  readonly bytes: number;
}
