import type { ApprovalMode } from './provider-config.js';
import type { RemoteDecision, RemoteRequest, RemoteRule } from './remote-request.js';
import type { RemoteDriverName, RemoteState } from './remote-session.js';

/** Origin of an entry: a hook, the session file, the screen, the agent's protocol, a person, or this server. */
export type RemoteSource = 'hook' | 'file' | 'screen' | 'agent' | 'person' | 'server';

/** A block of a message. */
export type RemoteBlock =
  | {
      /** Text of the message, in Markdown. */
      readonly type: 'text';
      /** The text. */
      readonly text: string;
    }
  | {
      /** A thought of the model. */
      readonly type: 'thought';
      /** The thought. */
      readonly text: string;
    };

/** A message of the person or of the model. The last entry with the same `messageId` is the valid one. */
export interface RemoteMessageEntry {
  readonly type: 'message';
  /** Id of the message in this log. */
  readonly messageId: string;
  /** Author of the message. `system` marks messages of the CLI itself. */
  readonly role: 'user' | 'assistant' | 'system';
  /** Blocks of the message. None if the message is not to be shown: it stands for another one of the log. */
  readonly blocks: readonly RemoteBlock[];
  /** Model that gave the answer. */
  readonly model?: string | undefined;
  /** True if the CLI has removed the message from its memory: a refused or cancelled turn. */
  readonly isForgotten?: boolean | undefined;
}

/** A tool call. The last entry with the same `callId` is the valid one. */
export interface RemoteToolEntry {
  readonly type: 'tool';
  /** Id of the call in this log. */
  readonly callId: string;
  /** Name of the tool, as the agent calls it. */
  readonly name: string;
  /** The call on one line. */
  readonly title: string;
  /** State of the call. */
  readonly status: 'waiting' | 'running' | 'succeeded' | 'failed' | 'refused' | 'cancelled';
  /** Arguments of the call, cut after 64 kB. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Change of a file as a unified diff, cut after 256 kB. */
  readonly diff?: string | undefined;
  /** Output of the tool, cut after 64 kB. */
  readonly output?: string | undefined;
}

/** A prompt from a device, and how far it has come. The last entry with the same `promptId` is the valid one. */
export interface RemotePromptEntry {
  readonly type: 'prompt';
  /** Id that the device has chosen. */
  readonly promptId: string;
  /** Text of the prompt. */
  readonly text: string;
  /**
   * `queued` waits for the end of the turn, `sent` was given to the agent, `accepted` means that the agent has told that it
   * has the prompt, `answered` that its turn is over, `not-delivered` that the agent never got it, `withdrawn` that the
   * person has taken it back.
   */
  readonly status: 'queued' | 'sent' | 'accepted' | 'answered' | 'not-delivered' | 'withdrawn';
  /** Name of the device. */
  readonly by: string;
  /** Why a prompt was not delivered. */
  readonly detail?: string | undefined;
}

/** A request waits for a person. */
export interface RemoteRequestEntry {
  readonly type: 'request';
  /** The request. */
  readonly request: RemoteRequest;
}

/** A request has its answer. */
export interface RemoteDecisionEntry {
  readonly type: 'decision';
  /** Id of the request. */
  readonly requestId: string;
  /** `decided` by a person or a rule, `desk` if the desk answered first, `withdrawn` if the agent no longer waits. */
  readonly outcome: 'decided' | 'desk' | 'withdrawn';
  /** The answer. Absent unless it was decided here. */
  readonly decision?: RemoteDecision | undefined;
  /** Name of the device, or `rule`. */
  readonly by?: string | undefined;
}

/** Any other change of a session. */
export type RemoteChangeEntry =
  | {
      /** The state of the session changed. */
      readonly type: 'state';
      /** The new state. */
      readonly state: RemoteState;
      /** Why the session is in this state. */
      readonly reason?: string | undefined;
    }
  | {
      /** The session is controlled in another way. */
      readonly type: 'driver';
      /** The new driver. */
      readonly driver: RemoteDriverName;
      /** Id of the CLI's session. */
      readonly cliSessionId?: string | undefined;
    }
  | {
      /** The approval mode changed. */
      readonly type: 'mode';
      /** The new mode. */
      readonly mode: ApprovalMode;
    }
  | {
      /** The model changed. */
      readonly type: 'model';
      /** The new model. */
      readonly model: string;
    }
  | {
      /** Tokens and cost of the session so far. */
      readonly type: 'usage';
      /** Tokens of all answers. */
      readonly tokens: number;
      /** Estimated cost in US dollars, by list price. */
      readonly costUsd?: number | undefined;
    }
  | {
      /** A rule was made or revoked. */
      readonly type: 'rule';
      /** The rule. */
      readonly rule: RemoteRule;
      /** True if the rule no longer holds. */
      readonly isRevoked: boolean;
    }
  | {
      /** A remark for the person. */
      readonly type: 'notice';
      /** Level of the remark. */
      readonly level: 'info' | 'warning' | 'error';
      /** The remark. */
      readonly message: string;
    };

/** Content of an entry of a session's log. */
export type RemoteEntryContent =
  | RemoteMessageEntry
  | RemoteToolEntry
  | RemotePromptEntry
  | RemoteRequestEntry
  | RemoteDecisionEntry
  | RemoteChangeEntry;

/** An entry of a session's log. Entries are only ever added. */
export interface RemoteEntry {
  /** Number of the entry in its session, from 1. */
  readonly seq: number;
  /** Time of the entry, ISO 8601. */
  readonly at: string;
  /** Origin of the entry. */
  readonly source: RemoteSource;
  /** Content of the entry. */
  readonly content: RemoteEntryContent;
}
