import { randomUUID } from 'node:crypto';
import type { ApprovalMode } from '../api/provider-config.js';
import type {
  RemoteActor,
  RemoteChange,
  RemoteControl,
  RemotePrompt,
  RemoteStart,
} from '../api/remote-control.js';
import type { RemoteEntry } from '../api/remote-entry.js';
import type { RemoteDecision, RemoteRequest, RemoteRule } from '../api/remote-request.js';
import type { RemoteSession } from '../api/remote-session.js';
import { resolveAllowedFolder } from './session/allowed-folder.js';
import { assertMode } from './session/assert-mode.js';
import { assertModelName } from './session/assert-model-name.js';
import { assertStart } from './session/assert-start.js';
import { cutSessions } from './session/compare-sessions.js';
import type { ControlledSession } from './session/controlled-session.js';
import { Handover } from './session/handover.js';
import { keepPrompt } from './session/prompt-queue.js';
import { refusal } from './session/refusal.js';
import type { RemoteSessionsOptions } from './session/remote-sessions-options.js';
import { RepeatedStarts } from './session/repeated-starts.js';
import type { SessionOwners } from './session/session-owners.js';
import { type SessionEntry, SessionTable } from './session/session-table.js';

const DEFAULT_LIMIT = 500;

/** All sessions of the server. Drivers lead them; this class finds them, checks what is asked, and tells the devices. */
export class RemoteSessions implements RemoteControl {
  readonly #options: RemoteSessionsOptions;
  readonly #table: SessionTable;
  readonly #handover: Handover;
  readonly #starts = new RepeatedStarts();

  constructor(options: RemoteSessionsOptions) {
    this.#options = options;
    this.#table = new SessionTable(options.store);
    const { owners, prepareAcp, desk } = options;
    const onExit = (session: ControlledSession): void =>
      this.ended(session, 'The process of the agent has ended');
    const onFailed = (session: ControlledSession): void => this.#table.endRules(session.sessionId);
    this.#handover = new Handover({ owners, prepareAcp, desk, onExit, onFailed });
  }

  /** Locks of the CLI's sessions. */
  get owners(): SessionOwners {
    return this.#options.owners;
  }

  /** Opens the sessions of earlier runs of the server. */
  async restore(): Promise<void> {
    await this.#table.restore(({ id, startId }) => this.#starts.restore(startId, id));
    await this.#refreshPast();
  }

  /** Ends what waits for sessions of an earlier run that were not found again. */
  endLost(): void {
    this.#table.endLost();
  }

  list(): readonly RemoteSession[] {
    const own = this.#table.all().map(({ session }) => session.describe());
    const known = new Set(own.flatMap(({ cliSessionId }) => cliSessionId ?? []));
    void this.#refreshPast().catch(() => {});
    return cutSessions([...own, ...this.#options.past.list(known)]);
  }

  async entries(
    sessionId: string,
    afterSeq = 0,
    limit = DEFAULT_LIMIT,
  ): Promise<readonly RemoteEntry[]> {
    const own = this.#table.find(sessionId)?.session;
    if (own !== undefined) return own.log.read(afterSeq, limit);
    const past = this.#options.past.find(sessionId);
    if (past === undefined) throw refusal('There is no such session');
    return this.#options.past.entries.page(past.file, afterSeq, limit);
  }

  requests(): readonly RemoteRequest[] {
    return this.#table.broker.list();
  }

  rules(): readonly RemoteRule[] {
    return this.#table.broker.rules.list();
  }

  subscribe(listener: (change: RemoteChange) => void): () => void {
    return this.#table.subscribe(listener);
  }

  async prompt(
    sessionId: string,
    { promptId, text }: RemotePrompt,
    by: RemoteActor,
  ): Promise<void> {
    const { session, prompts } = this.#table.require(sessionId);
    prompts.add({ promptId, text, by: by.name });
    await keepPrompt(session);
  }

  /** Sends a prompt before all others that wait. Throws INVALID_INPUT. */
  promptNext({ sessionId }: ControlledSession, text: string, by: string): void {
    const { prompts } = this.#table.require(sessionId);
    prompts.add({ promptId: randomUUID(), text, by, isNext: true });
  }

  async withdraw(sessionId: string, promptId: string): Promise<void> {
    this.#table.require(sessionId).prompts.withdraw(promptId);
  }

  async decide(requestId: string, decision: RemoteDecision, by: RemoteActor): Promise<void> {
    await this.#table.broker.decide(requestId, decision, by.name);
  }

  async revokeRule(ruleId: string): Promise<void> {
    const rule = this.#table.broker.rules.revoke(ruleId);
    if (rule === undefined) throw refusal('There is no such rule');
    this.#table.add(rule.sessionId, { type: 'rule', rule, isRevoked: true });
  }

  async interrupt(sessionId: string): Promise<void> {
    await this.#table.require(sessionId).session.require('interrupt').interrupt();
  }

  async setMode(sessionId: string, mode: ApprovalMode, by: RemoteActor): Promise<void> {
    const { session } = this.#table.require(sessionId);
    const driver = session.require('mode');
    if (!by.isDesk && !session.isOffered(mode))
      throw refusal(
        `The mode ${mode} cannot be chosen from here`,
        'The desk can allow it when it starts the server: --allow-yolo.',
      );
    assertMode(mode, by);
    await driver.setMode(mode);
  }

  async setModel(sessionId: string, model: string): Promise<void> {
    assertModelName(model);
    await this.#table.require(sessionId).session.require('model').setModel(model);
  }

  async start(start: RemoteStart, by: RemoteActor): Promise<string> {
    const sessionId = await this.#starts.run(start.startId, () => this.#start(start, by));
    // A start whose prompt could not be stored has started: it is repeated until the prompt is on the disk.
    await keepPrompt(this.#table.require(sessionId).session);
    return sessionId;
  }

  async takeOver(sessionId: string): Promise<void> {
    const entry = this.#table.find(sessionId) ?? (await this.#adoptPast(sessionId));
    // A session at the desk may run anywhere. This server leads sessions in the folders alone that the desk has named.
    await resolveAllowedFolder(entry.session.folder, this.#options.roots);
    await this.#handover.takeOver(entry);
  }

  async handBack(sessionId: string): Promise<void> {
    await this.#handover.handBack(this.#table.require(sessionId));
  }

  /** The person has opened a session at the desk that this server leads. */
  async yieldToDesk(session: ControlledSession): Promise<void> {
    await this.#handover.yieldToDesk(session);
  }

  async end(sessionId: string): Promise<void> {
    const { session, prompts } = this.#table.require(sessionId);
    session.require('end');
    await session.leave('end');
    await this.#handover.release(session);
    prompts.end('The session was ended');
    session.ended('Ended from a device', 'person', true);
    this.#table.endRules(sessionId);
  }

  /** Returns the session of the CLI with this id, or makes one for it. For sessions at the desk. */
  async adopt(cliSessionId: string, folder: string): Promise<ControlledSession> {
    const known = this.findByCli(cliSessionId);
    if (known !== undefined) return known;
    const session = await this.create(folder);
    session.update({ cliSessionId }, 'hook');
    return session;
  }

  /** Makes a session that has no driver yet. */
  async create(folder: string): Promise<ControlledSession> {
    return (await this.#table.create(folder)).session;
  }

  findByCli(cliSessionId: string): ControlledSession | undefined {
    return this.#table.findByCli(cliSessionId)?.session;
  }

  /**
   * The agent of a session has ended by itself. Without a reason the server ends, and the session may live on in tmux: the next server
   * finds it again, with its rules and the prompts that wait.
   */
  ended(session: ControlledSession, reason: string | undefined): void {
    if (this.#handover.isChanging(session)) return;
    void this.#handover.release(session);
    session.ended(reason, 'server', true);
    if (reason === undefined) return;
    this.#table.find(session.sessionId)?.prompts.end('The session has ended');
    this.#table.endRules(session.sessionId);
  }

  /** Lets all sessions go. Sessions in tmux live on. */
  async close(): Promise<void> {
    const all = this.#table.all();
    await Promise.allSettled(all.map(({ session }) => session.leave('release')));
    await Promise.allSettled(all.map(({ session }) => this.#handover.release(session)));
    await this.#table.sumUpAll();
    await Promise.allSettled(all.map(({ session }) => session.log.close()));
  }

  async #start(start: RemoteStart, by: RemoteActor): Promise<string> {
    assertStart(start, by);
    const { startId, folder, prompt, model, mode = 'default', resume } = start;
    const path = await resolveAllowedFolder(folder, this.#options.roots);
    const owner = resume === undefined ? undefined : this.findByCli(resume);
    if ((owner?.state ?? 'ended') !== 'ended')
      throw refusal('The session is open already', 'Take it over instead.');
    if (owner !== undefined) await resolveAllowedFolder(owner.folder, this.#options.roots);
    const entry =
      owner === undefined
        ? await this.#table.create(path, startId)
        : this.#table.require(owner.sessionId);
    const { sessionId } = entry.session;
    const opening = { model: model ?? this.#options.model, mode, resume };
    this.#handover.open(entry, opening).catch(() => {});
    if (prompt !== undefined)
      entry.prompts.addFirst({ promptId: randomUUID(), text: prompt, by: by.name });
    return sessionId;
  }

  async #adoptPast(sessionId: string): Promise<SessionEntry> {
    const past = this.#options.past.find(sessionId);
    if (past?.projectDir === undefined) throw refusal('There is no such session');
    const folder = await resolveAllowedFolder(past.projectDir, this.#options.roots);
    const entry = await this.#table.create(folder);
    for (const { content } of await this.#options.past.entries.all(past.file))
      entry.session.add(content, 'file');
    const { tokens, costUsd } = this.#options.past.describe(past);
    if (tokens !== undefined) entry.session.usage({ tokens, costUsd });
    entry.session.update({ cliSessionId: past.id }, 'file');
    return entry;
  }

  async #refreshPast(): Promise<void> {
    await this.#options.past.refresh((session) => {
      if (this.findByCli(session.cliSessionId ?? '') === undefined) this.#table.tell(session);
    });
  }
}
