import type { AgentProcess } from './agent-process.js';
import { RpcCallError, type SessionListener, UnknownMethod } from './rpc-call.js';
import { readSessionOptions, type SessionOptions } from './session-options.js';

/** Limit of the updates that are buffered for a session without a listener. */
const MAX_BUFFERED_UPDATES = 100;

/** Session of an agent, created for a step or as a spare. One step uses it, for one prompt or several. */
export class SessionHandle implements SessionListener {
  readonly process: AgentProcess;
  readonly id: string;
  /** Answer of the agent to `session/new` or `session/load`. */
  readonly answer: unknown;
  readonly options: SessionOptions;
  readonly #buffered: unknown[] = [];
  #listener: SessionListener | undefined;

  constructor(process: AgentProcess, id: string, answer: unknown) {
    this.process = process;
    this.id = id;
    this.answer = answer;
    this.options = readSessionOptions(answer);
    process.connection.listen(id, this);
  }

  /** Attaches the listener of a turn and passes it the buffered updates. */
  attach(listener: SessionListener): void {
    this.#listener = listener;
    for (const update of this.#buffered.splice(0)) listener.onUpdate(update);
  }

  /** Buffers updates between two turns of the same step. */
  pause(): void {
    this.#listener = undefined;
  }

  /** Drops all further updates and requests of the session. */
  detach(): void {
    this.#listener = undefined;
    this.process.connection.forget(this.id);
  }

  onUpdate(update: unknown): void {
    if (this.#listener !== undefined) this.#listener.onUpdate(update);
    else if (this.#buffered.length < MAX_BUFFERED_UPDATES) this.#buffered.push(update);
  }

  async onRequest(method: string, params: unknown, requestId: string): Promise<unknown> {
    if (this.#listener === undefined) throw new UnknownMethod(method);
    return this.#listener.onRequest(method, params, requestId);
  }

  prompt(text: string): Promise<unknown> {
    return this.call('session/prompt', { prompt: [{ type: 'text', text }] });
  }

  cancel(): void {
    this.process.connection.notify('session/cancel', { sessionId: this.id });
  }

  call(method: string, params: object): Promise<unknown> {
    return this.process.connection.call(method, { sessionId: this.id, ...params });
  }

  /** Calls a method that the agent may refuse. Returns false if it does. */
  async tryCall(method: string, params: object): Promise<boolean> {
    try {
      await this.call(method, params);
      return true;
    } catch (error) {
      if (error instanceof RpcCallError && error.failure.kind === 'refused') return false;
      throw error;
    }
  }
}
