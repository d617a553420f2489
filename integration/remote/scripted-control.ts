import type { RemoteChange, RemoteControl, RemoteStart } from '../../src/api/remote-control.js';
import type { RemoteEntry, RemoteEntryContent } from '../../src/api/remote-entry.js';
import type { RemoteDecision, RemoteRequest, RemoteRule } from '../../src/api/remote-request.js';
import type { RemoteSession } from '../../src/api/remote-session.js';
import { refusal } from '../../src/remote/session/refusal.js';

/** Sessions without an agent, for tests of the page: a test says what they hold, and sees what the page asks for. */
export class ScriptedControl implements RemoteControl {
  /** What the page has asked for, in order. */
  readonly actions: string[] = [];
  readonly starts: RemoteStart[] = [];
  /** Rules that the page shows. */
  readonly given: RemoteRule[] = [];
  /** Why the next actions on sessions are refused. */
  refused: string | undefined;
  readonly #sessions = new Map<string, RemoteSession>();
  readonly #logs = new Map<string, RemoteEntry[]>();
  readonly #listeners = new Set<(change: RemoteChange) => void>();

  /** Adds or changes a session. */
  put(session: RemoteSession): void {
    this.#sessions.set(session.id, session);
    this.#tell({ type: 'session', session });
  }

  /** Adds an entry to the log of a session. */
  add(sessionId: string, content: RemoteEntryContent, at = new Date().toISOString()): void {
    const log = this.#logs.get(sessionId) ?? [];
    const entry: RemoteEntry = { seq: log.length + 1, at, source: 'agent', content };
    this.#logs.set(sessionId, [...log, entry]);
    this.#tell({ type: 'entry', sessionId, entry });
  }

  /** Shows a text that the model is writing. */
  preview(sessionId: string, text: string, kind: 'text' | 'thought' = 'text'): void {
    this.#tell({ type: 'preview', sessionId, kind, text });
  }

  list = (): readonly RemoteSession[] => [...this.#sessions.values()];
  entries = async (id: string, afterSeq = 0): Promise<readonly RemoteEntry[]> =>
    (this.#logs.get(id) ?? []).filter(({ seq }) => seq > afterSeq);
  requests = (): readonly RemoteRequest[] => [];
  rules = (): readonly RemoteRule[] => this.given;
  subscribe = (listener: (change: RemoteChange) => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  async decide(requestId: string, decision: RemoteDecision): Promise<void> {
    const sessionId = [...this.#logs.keys()].find((id) =>
      this.#logs.get(id)?.some(({ content }) => {
        return content.type === 'request' && content.request.id === requestId;
      }),
    );
    if (sessionId === undefined) throw refusal('The request is no longer open');
    this.add(sessionId, { type: 'decision', requestId, outcome: 'decided', decision, by: 'phone' });
  }

  start = async (start: RemoteStart): Promise<string> => {
    this.starts.push(start);
    return 'new';
  };
  prompt = async (id: string) => void this.#note('prompt', id);
  withdraw = async (id: string) => void this.#note('withdraw', id);
  revokeRule = async (id: string) => void this.#note('revoke', id);
  interrupt = async (id: string) => void this.#note('interrupt', id);
  setMode = async (id: string) => void this.#note('mode', id);
  setModel = async (id: string) => void this.#note('model', id);
  takeOver = async (id: string) => void this.#note('take over', id);
  handBack = async (id: string) => void this.#note('hand back', id);
  end = async (id: string) => void this.#note('end', id);

  #note(action: string, id: string): string {
    if (this.refused !== undefined) throw refusal(this.refused);
    this.actions.push(`${action} ${id}`);
    return id;
  }

  #tell(change: RemoteChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
