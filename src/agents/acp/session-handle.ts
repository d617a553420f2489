import type { AgentProcess } from './agent-process.js';
import { RpcCallError, type SessionListener, UnknownMethod } from './rpc-call.js';
import type { SessionOptions } from './session-options.js';

/** Enough for what an agent says of a session that nobody uses yet. */
const MOST_KEPT_UPDATES = 100;

/** A session of an agent: made ahead or for a step, used by one step, for one prompt or several. */
export class SessionHandle implements SessionListener {
  readonly process: AgentProcess;
  readonly id: string;
  readonly options: SessionOptions;
  readonly #kept: unknown[] = [];
  #listener: SessionListener | undefined;

  constructor(process: AgentProcess, id: string, offer: SessionOptions) {
    this.process = process;
    this.id = id;
    this.options = offer;
    process.connection.listen(id, this);
  }

  /** From now on a turn has to do with it; it hears what was said before. */
  attach(listener: SessionListener): void {
    this.#listener = listener;
    for (const update of this.#kept.splice(0)) listener.onUpdate(update);
  }

  /** Between two turns of the same step. */
  rest(): void {
    this.#listener = undefined;
  }

  /** Whatever the agent still says of it is nobody's business any more. */
  detach(): void {
    this.#listener = undefined;
    this.process.connection.forget(this.id);
  }

  onUpdate(update: unknown): void {
    if (this.#listener !== undefined) this.#listener.onUpdate(update);
    else if (this.#kept.length < MOST_KEPT_UPDATES) this.#kept.push(update);
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

  /** A setting that an agent may refuse without harm. */
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
