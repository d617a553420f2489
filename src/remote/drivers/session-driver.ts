import type { ApprovalMode } from '../../api/provider-config.js';
import type { RemoteEntryContent, RemoteSource } from '../../api/remote-entry.js';
import type { RemoteDriverName, RemoteSession } from '../../api/remote-session.js';
import type { BrokerAnswer, RequestDraft } from '../broker/approval-broker.js';
import type { SessionUsage } from '../session/file-usage.js';

/** Facts about a session that its driver reports. */
export type SessionFacts = Pick<
  RemoteSession,
  | 'cliSessionId'
  | 'capabilities'
  | 'mode'
  | 'modes'
  | 'model'
  | 'models'
  | 'notes'
  | 'state'
  | 'title'
>;

/** Connection of a driver to the session that it drives. */
export interface SessionSink {
  /** Id of the session on this server. */
  readonly sessionId: string;
  /** Adds an entry to the log of the session. */
  add(content: RemoteEntryContent, source: RemoteSource): void;
  /** Changes facts about the session. A change of state, mode or model becomes an entry of the log. */
  update(facts: Partial<SessionFacts>, source: RemoteSource, reason?: string): void;
  /** Shows text that the model is writing. An empty text ends the preview. */
  preview(kind: 'text' | 'thought', text: string): void;
  /** Asks the person. The signal withdraws the request. */
  ask(draft: Omit<RequestDraft, 'sessionId'>, signal: AbortSignal): Promise<BrokerAnswer>;
  /** Reports tokens and cost of all answers so far. */
  usage(usage: SessionUsage): void;
  /** Reports tokens and cost of one more turn. */
  spend(usage: SessionUsage): void;
}

/** A prompt on its way to the agent. */
export interface OutgoingPrompt {
  readonly text: string;
  /** The agent has told that it has the prompt, perhaps after it was reported as not delivered. */
  accepted(): void;
  /** The turn of the prompt is over. Only needed for a prompt that was reported as not delivered before. */
  answered(): void;
}

/** Drives one session. Every method throws a `ProviderError` if the session cannot do it at present. */
export interface SessionDriver {
  readonly name: RemoteDriverName;
  /** Sends a prompt to a session that is ready, and waits until its turn is over. */
  prompt(prompt: OutgoingPrompt): Promise<void>;
  interrupt(): Promise<void>;
  setMode(mode: ApprovalMode): Promise<void>;
  setModel(model: string): Promise<void>;
  /** Ends the session of the agent. */
  end(): Promise<void>;
  /** Lets the session go without ending what runs at the desk. Sessions of this server end. */
  release(): Promise<void>;
}
