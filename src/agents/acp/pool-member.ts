import { isObject } from '../../base/json/is-object.js';
import type { AgentProcess } from './agent-process.js';
import { assertCanLoad, assertServersSupported } from './assert-capable.js';
import { RpcCallError } from './rpc-call.js';
import { SessionHandle } from './session-handle.js';
import { keyOfSession, type SessionSpec, toWireSession } from './session-spec.js';

/** Process of a pool, with its sessions. */
export class PoolMember {
  readonly process: AgentProcess;
  /** Number of steps that run on the process. */
  active = 0;
  /** True if the process takes no further steps. The pool ends it after its last step. */
  isRetired = false;
  /** True if the process was started as a replacement and takes no steps yet. */
  isStandby = false;
  /** True if the process serves one step at a time, because retry notices do not name their session. */
  isExclusive = false;
  /** True if the steps of the process have used most of a core. */
  isBusy = false;
  /** Number of sessions created so far, including spare sessions. */
  created = 0;
  /** Number of sessions that steps have taken. */
  served = 0;
  /**
   * Spare sessions by key, including sessions that are being created: a step waits for such a session instead of a
   * later one.
   */
  readonly #spares = new Map<string, Promise<SessionHandle>[]>();
  /** Working directories of spare sessions that no step has taken, by session id. */
  readonly #unused = new Map<string, string>();
  readonly #uses = new Map<string, number>();
  #lastCreation: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #spareRequest: { readonly spec: SessionSpec; readonly wanted: () => number } | undefined;
  #isRefilling = false;

  constructor(process: AgentProcess) {
    this.process = process;
  }

  /** True if the process can take a further step. */
  get isAble(): boolean {
    return !this.isRetired && this.process.isAlive && !this.process.isFrozen;
  }

  /** Removes the records of spare sessions that no step has taken. The process must have ended. */
  removeUnused(): void {
    const sessions = [...this.#unused].map(([id, cwd]) => ({ id, cwd }));
    this.#unused.clear();
    if (sessions.length > 0) this.process.launch.removeUnused?.(sessions);
  }

  hasSpare(spec: SessionSpec): boolean {
    return (this.#spares.get(keyOfSession(spec))?.length ?? 0) > 0;
  }

  /** Returns a spare session, or creates a session. */
  async open(spec: SessionSpec): Promise<SessionHandle> {
    const key = keyOfSession(spec);
    this.#uses.set(key, (this.#uses.get(key) ?? 0) + 1);
    this.served++;
    this.#waiting++;
    try {
      const spare = await this.#spares
        .get(key)
        ?.shift()
        ?.catch(() => undefined);
      if (spare !== undefined) this.#unused.delete(spare.id);
      return spare ?? (await this.#createSession('session/new', spec));
    } finally {
      this.#waiting--;
      this.#refill();
    }
  }

  /** Loads an earlier session. The agent replays its history. */
  load(spec: SessionSpec, sessionId: string): Promise<SessionHandle> {
    this.served++;
    return this.#createSession('session/load', spec, sessionId);
  }

  /** Keeps spare sessions for this folder from now on, if more than one step has used the folder. */
  createSpares(spec: SessionSpec, wanted: () => number): void {
    this.#spareRequest = { spec, wanted };
    this.#refill();
  }

  /** Creates spare sessions one after another, unless a step waits for its own session. */
  #refill(): void {
    if (this.#spareRequest === undefined || this.#isRefilling || this.#waiting > 0) return;
    const { spec, wanted } = this.#spareRequest;
    const key = keyOfSession(spec);
    const spares = this.#spares.get(key) ?? [];
    this.#spares.set(key, spares);
    const isUsedAgain = (this.#uses.get(key) ?? 0) > 1;
    const isUseful = isUsedAgain && !this.isRetired && this.process.isAlive;
    if (!isUseful || spares.length >= wanted()) return;
    this.#isRefilling = true;
    const spare = this.#createSession('session/new', spec);
    spares.push(spare);
    spare.then(
      ({ id }) => {
        this.#unused.set(id, spec.cwd);
        this.#isRefilling = false;
        this.#refill();
      },
      () => {
        this.#isRefilling = false;
        const index = spares.indexOf(spare);
        if (index !== -1) spares.splice(index, 1);
      },
    );
  }

  /**
   * Creates or loads a session after the previous one is done. Eight sessions at once wait for each other's lock:
   * 13 seconds instead of half a second.
   */
  #createSession(
    method: 'session/new' | 'session/load',
    spec: SessionSpec,
    knownId?: string,
  ): Promise<SessionHandle> {
    const { process } = this;
    const creation = this.#lastCreation.then(async () => {
      await process.ready;
      assertServersSupported(process.identity, spec, process.launch.name);
      if (method === 'session/load') assertCanLoad(process.identity, process.launch.name);
      this.created++;
      const known = knownId === undefined ? {} : { sessionId: knownId };
      const params = { ...toWireSession(spec), ...known };
      const answer = await process.connection.callForSession(method, params);
      const id = knownId ?? (isObject(answer) ? answer['sessionId'] : undefined);
      if (typeof id !== 'string') {
        const error = { code: 0, message: 'The agent created a session without an id' };
        throw new RpcCallError({ kind: 'refused', error });
      }
      return new SessionHandle(process, id, answer);
    });
    this.#lastCreation = creation.catch(() => {});
    return creation;
  }
}
