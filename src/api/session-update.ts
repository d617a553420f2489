import type { TokenCounts } from './result.js';
import type { SessionDiagnostic } from './session.js';
import type { SessionLocation } from './session-list.js';
import type { UnifiedMessage, UnifyOptions } from './unified-message.js';

/** The CLI wrote a new message, or a new version of a message: with tool calls, their results, or token counts. */
export interface SessionMessageUpdate {
  readonly type: 'message';
  /** `new` for a message that was not reported before, `changed` for a new version. */
  readonly change: 'new' | 'changed';
  /** The message in its present version. */
  readonly message: UnifiedMessage;
}

/** The CLI removed messages, for example after a rewind. */
export interface SessionRemovedUpdate {
  readonly type: 'removed';
  /** Ids of the removed messages. */
  readonly ids: readonly string[];
}

/** The state of the session changed. */
export interface SessionStatusUpdate {
  readonly type: 'status';
  /** Model of the last answer. */
  readonly model?: string | undefined;
  /** Tokens of all answers so far. */
  readonly tokens: TokenCounts;
  /** Tokens of the last prompt: the used part of the model's context window. */
  readonly contextTokens?: number | undefined;
  /** Subject of the last thought, or its description if there is no subject. */
  readonly thinking?: string | undefined;
  /** Summary of the session, if the CLI has written one. */
  readonly summary?: string | undefined;
}

/** A part of the session file could not be read. */
export interface SessionProblemUpdate {
  readonly type: 'problem';
  /** Description of the problem. */
  readonly diagnostic: SessionDiagnostic;
}

/** The session file was removed. Watching goes on and reports a new file at the same path. */
export interface SessionGoneUpdate {
  readonly type: 'gone';
}

/** Updates that `watchSession` yields. */
export type SessionUpdate =
  | SessionMessageUpdate
  | SessionRemovedUpdate
  | SessionStatusUpdate
  | SessionProblemUpdate
  | SessionGoneUpdate;

/** Options of `watchSession`. */
export interface WatchOptions extends SessionLocation, UnifyOptions {
  /**
   * Ends the watching when it is aborted.
   *
   * @defaultValue none: watching goes on until the loop is left
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Skip the messages that are in the file already, and report later changes alone.
   *
   * @defaultValue `false`
   */
  readonly skipExisting?: boolean | undefined;
  /**
   * Milliseconds between two checks of the file, in case the system reports no change.
   *
   * @defaultValue `200`
   */
  readonly pollIntervalMs?: number | undefined;
  /**
   * Milliseconds to wait after a reported change, so that several writes become one update.
   *
   * @defaultValue `20`
   */
  readonly debounceMs?: number | undefined;
}
