import type { TokenCounts } from './result.js';
import type { SessionDiagnostic, SessionLocation } from './session.js';
import type { UnifiedMessage, UnifyOptions } from './unified-message.js';

/** A message that is new, or that the CLI has written again: with its tool calls, its tokens, their results. */
export interface SessionMessageUpdate {
  readonly type: 'message';
  readonly change: 'new' | 'changed';
  readonly message: UnifiedMessage;
}

/** Messages that the CLI has taken back or left out of a new version of the list. */
export interface SessionRemovedUpdate {
  readonly type: 'removed';
  readonly ids: readonly string[];
}

/** What is known of the session as a whole, each time some of it changes. */
export interface SessionStatusUpdate {
  readonly type: 'status';
  readonly model?: string | undefined;
  /** Of all answers so far. */
  readonly tokens: TokenCounts;
  /** How much of the model's window the last prompt took. */
  readonly contextTokens?: number | undefined;
  /** The subject of the last thought. */
  readonly thinking?: string | undefined;
  readonly summary?: string | undefined;
}

/** Something in the file that cannot be read. */
export interface SessionProblemUpdate {
  readonly type: 'problem';
  readonly diagnostic: SessionDiagnostic;
}

/** The file is gone. When one comes in its place, watching goes on. */
export interface SessionGoneUpdate {
  readonly type: 'gone';
}

export type SessionUpdate =
  | SessionMessageUpdate
  | SessionRemovedUpdate
  | SessionStatusUpdate
  | SessionProblemUpdate
  | SessionGoneUpdate;

export interface WatchOptions extends SessionLocation, UnifyOptions {
  /** Ends the watching. */
  readonly signal?: AbortSignal | undefined;
  /** Only what is written from now on. Default false: everything there is comes first. */
  readonly skipExisting?: boolean | undefined;
  /** The file is looked at this often even if the system reports nothing. Default 200. */
  readonly pollIntervalMs?: number | undefined;
  /** Writes that come closer together are taken as one. Default 20. */
  readonly debounceMs?: number | undefined;
}
