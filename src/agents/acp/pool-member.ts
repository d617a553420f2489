import { isObject } from '../../base/json/is-object.js';
import type { AgentProcess } from './agent-process.js';
import { RpcCallError } from './rpc-call.js';
import { SessionHandle } from './session-handle.js';
import { readSessionOptions } from './session-options.js';
import { keyOfSession, type SessionSpec, toWireSession } from './session-spec.js';

/** One process of a pool, and the sessions it has. */
export class PoolMember {
  readonly process: AgentProcess;
  /** Steps at work on it. */
  active = 0;
  /** Takes no more steps; ends with its last one. */
  isRetired = false;
  /** Serves one step at a time, because what it says of retries must be that step's. */
  isExclusive = false;
  /** Sessions made so far, spare ones included. */
  made = 0;
  /** Sessions that steps have taken. */
  served = 0;
  /** Those in the making included: who needs one waits for it rather than for another one behind it. */
  readonly #spares = new Map<string, Promise<SessionHandle>[]>();
  readonly #uses = new Map<string, number>();
  #making: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #wish: { readonly spec: SessionSpec; readonly wanted: () => number } | undefined;
  #isRefilling = false;

  constructor(process: AgentProcess) {
    this.process = process;
  }

  hasSpare(spec: SessionSpec): boolean {
    return (this.#spares.get(keyOfSession(spec))?.length ?? 0) > 0;
  }

  /** A spare session, or a new one. */
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
      return spare ?? (await this.#make('session/new', toWireSession(spec)));
    } finally {
      this.#waiting--;
      this.#refill();
    }
  }

  /** An earlier session, told again from its file. */
  load(spec: SessionSpec, sessionId: string): Promise<SessionHandle> {
    this.served++;
    return this.#make('session/load', { ...toWireSession(spec), sessionId }, sessionId);
  }

  /** From now on sessions are made ahead for this folder, if it has been used before. */
  makeSpares(spec: SessionSpec, wanted: () => number): void {
    this.#wish = { spec, wanted };
    this.#refill();
  }

  /** One after another, and only while no step waits for a session of its own. */
  #refill(): void {
    if (this.#wish === undefined || this.#isRefilling || this.#waiting > 0) return;
    const { spec, wanted } = this.#wish;
    const key = keyOfSession(spec);
    const spares = this.#spares.get(key) ?? [];
    this.#spares.set(key, spares);
    const isUsedAgain = (this.#uses.get(key) ?? 0) > 1;
    const isUseful = isUsedAgain && !this.isRetired && this.process.isAlive;
    if (!isUseful || spares.length >= wanted()) return;
    this.#isRefilling = true;
    const spare = this.#make('session/new', toWireSession(spec));
    spares.push(spare);
    spare.then(
      () => {
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

  /** One after another: eight at once wait for each other's lock, 13 seconds instead of half a one. */
  #make(method: string, params: object, knownId?: string): Promise<SessionHandle> {
    const { process } = this;
    const making = this.#making.then(async () => {
      await process.ready;
      this.made++;
      const answer = await process.connection.callForSession(method, params);
      const id = knownId ?? (isObject(answer) ? answer['sessionId'] : undefined);
      if (typeof id !== 'string') {
        const error = { code: 0, message: 'The agent made a session without an id' };
        throw new RpcCallError({ kind: 'refused', error });
      }
      return new SessionHandle(process, id, readSessionOptions(answer));
    });
    this.#making = making.catch(() => {});
    return making;
  }
}
