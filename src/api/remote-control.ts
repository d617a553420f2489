import type { ApprovalMode } from './provider-config.js';
import type { RemoteEntry } from './remote-entry.js';
import type { RemoteDecision, RemoteRequest, RemoteRule } from './remote-request.js';
import type { RemoteSession } from './remote-session.js';

/** The person or program that acts: a paired device, the desk, or an engine. */
export interface RemoteActor {
  /** Name for the log, such as `Pixel 9` or `desk`. */
  readonly name: string;
  /** True for the desk, which may also do what a device must not. */
  readonly isDesk: boolean;
  /**
   * False for a device that must not answer requests: it can choose no mode in which calls run without a question.
   *
   * @defaultValue `true`
   */
  readonly mayApprove?: boolean | undefined;
  /**
   * False for a device that must not send prompts: it starts sessions without a prompt.
   *
   * @defaultValue `true`
   */
  readonly mayPrompt?: boolean | undefined;
}

/** Change that a listener of `RemoteControl.subscribe` gets. */
export type RemoteChange =
  | {
      /** A session is new or has changed. */
      readonly type: 'session';
      /** The session in its present state. */
      readonly session: RemoteSession;
    }
  | {
      /** A session has a new entry in its log. */
      readonly type: 'entry';
      /** Id of the session. */
      readonly sessionId: string;
      /** The entry. */
      readonly entry: RemoteEntry;
    }
  | {
      /** Text that the model is writing. It replaces the preview before, and an entry replaces it at the end. */
      readonly type: 'preview';
      /** Id of the session. */
      readonly sessionId: string;
      /** Kind of the text. */
      readonly kind: 'text' | 'thought';
      /** The whole text so far. Empty if there is no preview any more. */
      readonly text: string;
    };

/** A prompt of a device. */
export interface RemotePrompt {
  /** Id that the device has chosen. The same id again changes nothing, so that a device may repeat a request. */
  readonly promptId: string;
  /** Text of the prompt. */
  readonly text: string;
}

/** A session to start. */
export interface RemoteStart {
  /** Id that the device has chosen, so that a repeated request starts one session. */
  readonly startId: string;
  /** Folder of the session. It must lie below one of the roots that the desk has named. */
  readonly folder: string;
  /**
   * First prompt.
   *
   * @defaultValue none: the session waits for a prompt
   */
  readonly prompt?: string | undefined;
  /**
   * Model of the session.
   *
   * @defaultValue the model of the server's options
   */
  readonly model?: string | undefined;
  /**
   * Approval mode.
   *
   * @defaultValue `'default'`
   */
  readonly mode?: ApprovalMode | undefined;
  /**
   * Id of a session of the CLI to continue.
   *
   * @defaultValue none: a new session
   */
  readonly resume?: string | undefined;
}

/** All sessions of a remote server, and what a person can do with them. Every method throws a `ProviderError` if it is refused. */
export interface RemoteControl {
  /** Returns all open sessions, those that need a person first, and the latest 200 that have ended. */
  list(): readonly RemoteSession[];
  /**
   * Returns entries of a session's log after a number, in order, at most `limit` (500 by default). Entries with long texts come fewer at a
   * time; only after the last one, none come.
   */
  entries(sessionId: string, afterSeq?: number, limit?: number): Promise<readonly RemoteEntry[]>;
  /** Returns the requests that wait for an answer. */
  requests(): readonly RemoteRequest[];
  /** Returns the rules that hold. */
  rules(): readonly RemoteRule[];
  /** Calls the listener for each change. Returns a function that ends this. */
  subscribe(listener: (change: RemoteChange) => void): () => void;
  /** Sends a prompt, or queues it while the session works. */
  prompt(sessionId: string, prompt: RemotePrompt, by: RemoteActor): Promise<void>;
  /** Takes back a prompt that is still queued. */
  withdraw(sessionId: string, promptId: string, by: RemoteActor): Promise<void>;
  /** Answers a request. The first answer wins; a later one is refused with the name of the device that was first. */
  decide(requestId: string, decision: RemoteDecision, by: RemoteActor): Promise<void>;
  /** Ends a rule. */
  revokeRule(ruleId: string, by: RemoteActor): Promise<void>;
  /** Interrupts the turn. */
  interrupt(sessionId: string, by: RemoteActor): Promise<void>;
  /** Changes the approval mode. */
  setMode(sessionId: string, mode: ApprovalMode, by: RemoteActor): Promise<void>;
  /** Changes the model. */
  setModel(sessionId: string, model: string, by: RemoteActor): Promise<void>;
  /** Starts or resumes a session in a folder. Returns its id. */
  start(start: RemoteStart, by: RemoteActor): Promise<string>;
  /** Moves a session from the desk, or one of the past, to this server. */
  takeOver(sessionId: string, by: RemoteActor): Promise<void>;
  /** Gives a session back to the desk. */
  handBack(sessionId: string, by: RemoteActor): Promise<void>;
  /** Ends a session. */
  end(sessionId: string, by: RemoteActor): Promise<void>;
}
