import { isDeepStrictEqual } from 'node:util';
import type { ApprovalMode } from '../../api/provider-config.js';
import type { RemoteChange } from '../../api/remote-control.js';
import type { RemoteEntryContent, RemoteSource } from '../../api/remote-entry.js';
import type {
  RemoteCapabilities,
  RemoteDriverName,
  RemoteSession,
} from '../../api/remote-session.js';
import type { ApprovalBroker, BrokerAnswer, RequestDraft } from '../broker/approval-broker.js';
import type { SessionDriver, SessionFacts, SessionSink } from '../drivers/session-driver.js';
import type { SessionLog } from '../log/session-log.js';
import { addSessionUsage, type SessionUsage } from './file-usage.js';
import { NO_CAPABILITIES } from './no-capabilities.js';
import { notPossible } from './not-possible.js';
import { type RestoredFacts, titleOf } from './restored-facts.js';

export interface SessionParts {
  readonly id: string;
  readonly folder: string;
  readonly log: SessionLog;
  readonly broker: ApprovalBroker;
  readonly startedAt: string;
  readonly notify: (change: RemoteChange) => void;
  /** Called when the session may take a prompt. */
  readonly onReady: () => void;
}

/** A session of the server: its log, its facts, and the driver that leads it at present. */
export class ControlledSession implements SessionSink {
  readonly sessionId: string;
  readonly folder: string;
  readonly #parts: SessionParts;
  #driverName: RemoteDriverName = 'past';
  #driver: SessionDriver | undefined;
  #isLeaving = false;
  #tokens: number | undefined;
  #costUsd: number | undefined;
  #updatedAt: string;
  #facts: SessionFacts = {
    state: 'ended',
    capabilities: NO_CAPABILITIES,
    modes: [],
    models: [],
    notes: [],
  };

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.sessionId = parts.id;
    this.folder = parts.folder;
    this.#updatedAt = parts.startedAt;
  }

  get log(): SessionLog {
    return this.#parts.log;
  }

  get state(): RemoteSession['state'] {
    return this.#facts.state;
  }

  get cliSessionId(): string | undefined {
    return this.#facts.cliSessionId;
  }

  get driverName(): RemoteDriverName {
    return this.#driverName;
  }

  /** Returns the session as a device sees it. */
  describe(): RemoteSession {
    const { broker, startedAt, log } = this.#parts;
    const openRequests = broker.count(this.sessionId);
    const { state } = this.#facts;
    return {
      ...this.#facts,
      id: this.sessionId,
      driver: this.#driverName,
      folder: this.folder,
      state: openRequests > 0 && state !== 'ended' ? 'needs-you' : state,
      tokens: this.#tokens,
      costUsd: this.#costUsd,
      openRequests,
      lastSeq: log.lastSeq,
      startedAt,
      updatedAt: this.#updatedAt,
    };
  }

  /** Gives the session to a driver. */
  drive(driver: SessionDriver): void {
    this.#driver = driver;
    this.#driverName = driver.name;
    this.log.keep(true);
    this.add(
      { type: 'driver', driver: driver.name, cliSessionId: this.#facts.cliSessionId },
      'server',
    );
  }

  /** Takes the session from its driver. The session then is one of the past. If the agent does not end, the driver stays. */
  async leave(how: 'end' | 'release'): Promise<void> {
    const driver = this.#driver;
    this.#isLeaving = true;
    try {
      await (how === 'end' ? driver?.end() : driver?.release());
      if (this.#driver === driver) this.#driver = undefined;
    } finally {
      this.#isLeaving = false;
    }
    await this.#parts.broker.withdrawAll(this.sessionId);
  }

  /** The driver has nothing to drive any more: the agent has ended. */
  ended(reason: string | undefined, source: RemoteSource, takeOver: boolean): void {
    this.#driver = undefined;
    this.#driverName = 'past';
    this.log.keep(false);
    void this.#parts.broker.withdrawAll(this.sessionId);
    this.update({ state: 'ended', capabilities: { ...NO_CAPABILITIES, takeOver } }, source, reason);
  }

  /** Returns the driver if the session can take the action at present. Throws INVALID_INPUT if it cannot. */
  require(action: keyof RemoteCapabilities): SessionDriver {
    const driver = this.#driver;
    if (driver === undefined || !this.can(action)) throw notPossible(action, this.#facts.notes);
    return driver;
  }

  /** True if the session can take the action at present. */
  can(action: keyof RemoteCapabilities): boolean {
    return this.#driver !== undefined && !this.#isLeaving && this.#facts.capabilities[action];
  }

  /** Takes over what the log of an earlier run of the server tells. */
  restore({ tokens, costUsd, updatedAt, ...facts }: RestoredFacts): void {
    this.#tokens = tokens;
    this.#costUsd = costUsd;
    this.#updatedAt = updatedAt ?? this.#updatedAt;
    this.#facts = { ...this.#facts, ...facts };
  }

  /** Returns what a later run of the server needs to know without reading the log. */
  get restorable(): RestoredFacts {
    const { cliSessionId, title, model, mode } = this.#facts;
    const [tokens, costUsd, updatedAt] = [this.#tokens, this.#costUsd, this.#updatedAt];
    return { cliSessionId, title, model, mode, tokens, costUsd, updatedAt };
  }

  add(content: RemoteEntryContent, source: RemoteSource): void {
    const entry = this.#parts.log.add(content, source);
    this.#updatedAt = entry.at;
    this.#takeTitle(content);
    this.#parts.notify({ type: 'entry', sessionId: this.sessionId, entry });
    this.changed();
  }

  update(facts: Partial<SessionFacts>, source: RemoteSource, reason?: string): void {
    const before = this.#facts;
    this.#facts = { ...before, ...facts };
    const { state, mode, model, cliSessionId } = this.#facts;
    if (state !== before.state || reason !== undefined)
      this.add({ type: 'state', state, reason }, source);
    if (mode !== undefined && mode !== before.mode) this.add({ type: 'mode', mode }, source);
    if (model !== undefined && model !== before.model) this.add({ type: 'model', model }, source);
    if (cliSessionId !== undefined && cliSessionId !== before.cliSessionId)
      this.add({ type: 'driver', driver: this.#driverName, cliSessionId }, source);
    // An idle session is looked at again and again: devices hear of it when there is something new.
    if (isDeepStrictEqual(before, this.#facts)) this.#tellReady();
    else this.changed();
  }

  preview(kind: 'text' | 'thought', text: string): void {
    this.#parts.notify({ type: 'preview', sessionId: this.sessionId, kind, text });
  }

  ask(draft: Omit<RequestDraft, 'sessionId'>, signal: AbortSignal): Promise<BrokerAnswer> {
    return this.#parts.broker.ask({ ...draft, sessionId: this.sessionId }, signal);
  }

  usage({ tokens, costUsd }: SessionUsage): void {
    // The file of another session, or one that was cut, tells less: the highest sum is the true one.
    if (tokens <= (this.#tokens ?? 0)) return;
    this.#tokens = tokens;
    this.#costUsd = costUsd;
    this.add({ type: 'usage', tokens, costUsd }, 'server');
  }

  spend(usage: SessionUsage): void {
    const before = { tokens: this.#tokens ?? 0, costUsd: this.#tokens ? this.#costUsd : 0 };
    this.usage(addSessionUsage(before, usage));
  }

  /** Tells all devices the present state. */
  changed(): void {
    this.#parts.notify({ type: 'session', session: this.describe() });
    this.#tellReady();
  }

  /** Modes that a device may choose. */
  isOffered(mode: ApprovalMode): boolean {
    return this.#facts.modes.includes(mode);
  }

  #tellReady(): void {
    if (this.describe().state === 'ready') this.#parts.onReady();
  }

  #takeTitle(content: RemoteEntryContent): void {
    const title = this.#facts.title ?? titleOf(content);
    if (title !== this.#facts.title) this.#facts = { ...this.#facts, title };
  }
}
