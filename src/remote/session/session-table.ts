import { randomUUID } from 'node:crypto';
import type { RemoteChange } from '../../api/remote-control.js';
import type { RemoteEntryContent } from '../../api/remote-entry.js';
import type { RemoteSession } from '../../api/remote-session.js';
import { ApprovalBroker } from '../broker/approval-broker.js';
import type { SessionRecord, SessionStore, StoredSession } from '../state/session-store.js';
import { ControlledSession } from './controlled-session.js';
import { PromptQueue } from './prompt-queue.js';
import { refusal } from './refusal.js';
import { restoreSession } from './restore-session.js';

/** A session and the prompts that wait for it. */
export interface SessionEntry {
  readonly session: ControlledSession;
  readonly prompts: PromptQueue;
}

/** The sessions that have a log on this server, with their broker and those who listen to their changes. */
export class SessionTable {
  readonly broker: ApprovalBroker;
  readonly #store: SessionStore;
  readonly #entries = new Map<string, SessionEntry>();
  readonly #listeners = new Set<(change: RemoteChange) => void>();

  constructor(store: SessionStore) {
    this.#store = store;
    this.broker = new ApprovalBroker({
      opened: (request) => this.add(request.sessionId, { type: 'request', request }),
      closed: async (request, entry) => {
        const session = this.find(request.sessionId)?.session;
        session?.add({ type: 'decision', requestId: request.id, ...entry }, 'person');
        await session?.log.sync();
        session?.changed();
      },
      ruled: (rule) => this.add(rule.sessionId, { type: 'rule', rule, isRevoked: false }),
    });
  }

  /** Opens the sessions of earlier runs of the server. */
  async restore(): Promise<void> {
    for (const stored of await this.#store.open()) {
      const entry = this.#register(stored.record, stored);
      const { prompts } = entry;
      restoreSession(stored.entries, entry.session, { prompts, rules: this.broker.rules });
      // The session of an engine has no session of the CLI that could be resumed.
      entry.session.ended(undefined, 'server', entry.session.cliSessionId !== undefined);
    }
  }

  /** Ends the prompts and the rules of sessions of an earlier run that were not found again. */
  endLost(): void {
    for (const { session, prompts } of this.all()) {
      if (session.driverName !== 'past') continue;
      prompts.end('The session was no longer there when the server started again');
      this.endRules(session.sessionId);
    }
  }

  endRules(sessionId: string): void {
    for (const rule of this.broker.rules.endSession(sessionId))
      this.add(sessionId, { type: 'rule', rule, isRevoked: true });
  }

  all(): readonly SessionEntry[] {
    return [...this.#entries.values()];
  }

  find(sessionId: string): SessionEntry | undefined {
    return this.#entries.get(sessionId);
  }

  /** Throws INVALID_INPUT if there is no such session. */
  require(sessionId: string): SessionEntry {
    const entry = this.find(sessionId);
    if (entry === undefined) throw refusal('There is no such session, or it is one of the past');
    return entry;
  }

  findByCli(cliSessionId: string): SessionEntry | undefined {
    return this.all().find(({ session }) => session.cliSessionId === cliSessionId);
  }

  async create(folder: string): Promise<SessionEntry> {
    const record = { id: randomUUID(), folder, startedAt: new Date().toISOString() };
    return this.#register(record, { log: await this.#store.create(record) });
  }

  /** Adds an entry to the log of a session. */
  add(sessionId: string, content: RemoteEntryContent): void {
    this.find(sessionId)?.session.add(content, 'server');
  }

  /** Tells all devices about a session that has no log here. */
  tell(session: RemoteSession): void {
    this.#notify({ type: 'session', session });
  }

  subscribe(listener: (change: RemoteChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #register(
    { id, folder, startedAt }: SessionRecord,
    { log }: Pick<StoredSession, 'log'>,
  ): SessionEntry {
    const notify = (change: RemoteChange): void => this.#notify(change);
    const { broker } = this;
    const session = new ControlledSession({ id, folder, startedAt, log, broker, notify });
    const entry = { session, prompts: new PromptQueue(session) };
    this.#entries.set(id, entry);
    return entry;
  }

  #notify(change: RemoteChange): void {
    for (const listener of this.#listeners) listener(change);
    if (change.type === 'session' && change.session.state === 'ready')
      void this.find(change.session.id)?.prompts.advance();
  }
}
