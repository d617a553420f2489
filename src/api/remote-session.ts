import type { ApprovalMode } from './provider-config.js';

/** State of a session as a person sees it. `needs-you` means that a question or a dialog waits for an answer. */
export type RemoteState = 'starting' | 'ready' | 'working' | 'needs-you' | 'ended';

/**
 * How a session is controlled: `acp` for a session that was started from a page, `tmux` for one at the desk in tmux, `watch`
 * for one in another terminal, `engine` for one that a batch or an engine leads, `past` for one that has ended.
 */
export type RemoteDriverName = 'acp' | 'tmux' | 'watch' | 'engine' | 'past';

/** Actions that a session can take at present. */
export interface RemoteCapabilities {
  /** A prompt can be sent. */
  readonly prompt: boolean;
  /** A tool call can be allowed. */
  readonly allow: boolean;
  /** A tool call can be refused with a reason. */
  readonly deny: boolean;
  /** The turn can be interrupted. */
  readonly interrupt: boolean;
  /** The approval mode can be changed. */
  readonly mode: boolean;
  /** The model can be changed. */
  readonly model: boolean;
  /** Text is shown while the model writes it. */
  readonly liveText: boolean;
  /** The session can be ended. */
  readonly end: boolean;
  /** The session can be moved from the desk to this server, or resumed. */
  readonly takeOver: boolean;
  /** The session can be given back to the desk. */
  readonly handBack: boolean;
}

/** A session in the list of a remote server. */
export interface RemoteSession {
  /** Id of the session on this server. It stays the same when the CLI changes its own id. */
  readonly id: string;
  /** How the session is controlled. */
  readonly driver: RemoteDriverName;
  /** State of the session. */
  readonly state: RemoteState;
  /** Id of the CLI's session. Absent until the CLI has one. */
  readonly cliSessionId?: string | undefined;
  /** Working directory of the session. */
  readonly folder: string;
  /** First prompt of the session on one line, or its summary. */
  readonly title?: string | undefined;
  /** Model of the last answer, or the model that was asked for. */
  readonly model?: string | undefined;
  /** Approval mode. Absent if it is not known. */
  readonly mode?: ApprovalMode | undefined;
  /** Modes that can be chosen from here. `yolo` is among them only if the desk has allowed it for this session. */
  readonly modes: readonly ApprovalMode[];
  /** Models that can be chosen. Empty if the agent names none. */
  readonly models: readonly string[];
  /** Tokens of all answers. */
  readonly tokens?: number | undefined;
  /** Estimated cost of the session in US dollars, by list price. Absent if a price is unknown. */
  readonly costUsd?: number | undefined;
  /** Actions that the session can take at present. */
  readonly capabilities: RemoteCapabilities;
  /** Sentences about actions that are not possible, and why. */
  readonly notes: readonly string[];
  /** Number of questions that wait for an answer. */
  readonly openRequests: number;
  /** Number of the last entry of the log. */
  readonly lastSeq: number;
  /** Start of the session, ISO 8601. */
  readonly startedAt: string;
  /** Last change of the session, ISO 8601. */
  readonly updatedAt: string;
}
