import { randomUUID } from 'node:crypto';
import type { RemoteChange } from '../../api/remote-control.js';
import type { RemoteEntryContent } from '../../api/remote-entry.js';
import type { RemoteSession } from '../../api/remote-session.js';
import { ApprovalBroker } from '../broker/approval-broker.js';
import type { SessionLog } from '../log/session-log.js';
import type { SessionRecord, SessionStore } from '../state/session-store.js';
import { ControlledSession } from './controlled-session.js';
import { PromptQueue } from './prompt-queue.js';
import { refusal } from './refusal.js';
import { restoreUnfinished } from './restore-unfinished.js';

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
  /** Sizes of the logs whose summaries are on the disk. */
  readonly #summed = new WeakMap<ControlledSession, number>();

  constructor(store: SessionStore) {
    this.#store = store;
    this.broker = new ApprovalBroker({
      opened: (request) => this.add(request.sessionId, { type: 'request', request }),
      closed: async (request, entry) => {
        const session = this.find(request.sessionId)?.session;
        session?.add({ type: 'decision', requestId: request.id, ...entry }, 'person');
        await session?.log.sync();
      },
      settled: ({ sessionId }) => this.find(sessionId)?.session.changed(),
      ruled: (rule) => this.add(rule.sessionId, { type: 'rule', rule, isRevoked: false }),
    });
  }

  /** Opens the sessions of earlier runs of the server. Calls the function with each of them. */
  async restore(onRestored: (record: SessionRecord) => void): Promise<void> {
    for await (const { record, log, facts, unfinished } of this.#store.open()) {
      const { session, prompts } = this.#register(record, log);
      session.restore(facts);
      prompts.know(facts.promptIds ?? []);
      if (unfinished === undefined) this.#summed.set(session, log.bytes);
      else restoreUnfinished(unfinished, session, { prompts, rules: this.broker.rules });
      // The session of an engine has no session of the CLI that could be resumed.
      session.ended(undefined, 'server', session.cliSessionId !== undefined);
      onRestored(record);
    }
  }

  /** Ends the prompts and the rules of sessions of an earlier run that were not found again. */
  endLost(): void {
    for (const { session, prompts } of this.all()) {
      if (session.driverName !== 'past') continue;
      prompts.end('The session was no longer there when the server started again');
      this.endRules(session.sessionId);
    }
    void this.sumUpAll();
  }

  /** Keeps what the logs of ended sessions say, so that the next start of the server need not read them. */
  async sumUpAll(): Promise<void> {
    for (const entry of this.all()) await this.#sumUp(entry);
  }

  async #sumUp({ session, prompts }: SessionEntry): Promise<void> {
    const { log, sessionId } = session;
    const isDone =
      session.driverName === 'past' && !prompts.isWaiting && !this.#hasRules(sessionId);
    if (!isDone || (!log.isBehind && this.#summed.get(session) === log.bytes)) return;
    try {
      await log.sync();
      const { bytes } = log;
      await this.#store.writeSummary(sessionId, log, {
        ...session.restorable,
        promptIds: prompts.knownIds,
      });
      this.#summed.set(session, bytes);
    } catch {
      // Without a summary, the log is read at the next start.
    }
  }

  #hasRules(sessionId: string): boolean {
    return this.broker.rules.list().some((rule) => rule.sessionId === sessionId);
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

  async create(folder: string, startId?: string): Promise<SessionEntry> {
    const record = { id: randomUUID(), folder, startedAt: new Date().toISOString(), startId };
    return this.#register(record, await this.#store.create(record));
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

  #register({ id, folder, startedAt }: SessionRecord, log: SessionLog): SessionEntry {
    const notify = (change: RemoteChange): void => this.#notify(change);
    const { broker } = this;
    const onReady = (): void => void prompts.advance();
    const parts = { id, folder, startedAt, log, broker, notify, onReady };
    const session = new ControlledSession(parts);
    const prompts = new PromptQueue(session);
    const entry = { session, prompts };
    this.#entries.set(id, entry);
    return entry;
  }

  #notify(change: RemoteChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
