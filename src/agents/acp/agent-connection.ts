import type { Readable, Writable } from 'node:stream';
import {
  type ClientContext,
  client,
  PROTOCOL_VERSION,
  RequestError,
} from '@agentclientprotocol/sdk';
import type { Logger } from '../../api/logger.js';
import { hasErrno } from '../../base/errors/errno.js';
import { messageOf } from '../../base/errors/message-of.js';
import { isObject } from '../../base/json/is-object.js';
import { createMessageStream } from './message-stream.js';
import {
  RpcCallError,
  type RpcCallFailure,
  type SessionListener,
  UnknownMethod,
} from './rpc-call.js';

const CLIENT_NAME = 'gemini-cli-provider';
const LONGEST_LOGGED_LINE = 200;
const RESOURCE_NOT_FOUND = -32_002;
/** Updates of a session that is being made may come before the answer that tells its id. */
const MOST_EARLY_UPDATES = 1_000;

/** JSON-RPC with one agent: calls, and updates and requests handed to the session they belong to. */
export class AgentConnection {
  readonly protocolVersion = PROTOCOL_VERSION;
  readonly #listeners = new Map<string, SessionListener>();
  readonly #early = new Map<string, unknown[]>();
  readonly #agent: ClientContext;
  readonly #close: () => void;
  #isClosed = false;
  #sessionsInTheMaking = 0;

  constructor(stdin: Writable, stdout: Readable, logger: Logger) {
    const stream = createMessageStream(stdin, stdout, {
      onUpdate: (params) => this.#onUpdate(params),
      onNoise: (line) => {
        const shown = line.slice(0, LONGEST_LOGGED_LINE);
        logger.warn({ line: shown }, 'a line of the agent is no message and was dropped');
      },
    });
    const connection = client({ name: CLIENT_NAME })
      .onRequest('*', ({ params, method, requestId }) => {
        return this.#onRequest(method, params, String(requestId));
      })
      .onNotification('*', () => {})
      .connect(stream);
    this.#agent = connection.agent;
    this.#close = () => connection.close();
    void connection.closed.then(() => {
      this.#isClosed = true;
    });
  }

  /** Throws a `CallError`. */
  async call(method: string, params: object): Promise<unknown> {
    try {
      return await this.#agent.request<unknown>(method, params);
    } catch (error) {
      throw new RpcCallError(this.#explain(error));
    }
  }

  /** Makes a session: whatever the agent says of it meanwhile is kept for its listener. */
  async callForSession(method: string, params: object): Promise<unknown> {
    // Whoever made a session before has it by now: the rest are last words of sessions that are over.
    if (this.#sessionsInTheMaking === 0) this.#early.clear();
    this.#sessionsInTheMaking++;
    try {
      return await this.call(method, params);
    } finally {
      this.#sessionsInTheMaking--;
    }
  }

  notify(method: string, params: object): void {
    this.#agent.notify(method, params).catch(() => {});
  }

  listen(sessionId: string, listener: SessionListener): void {
    this.#listeners.set(sessionId, listener);
    for (const update of this.#early.get(sessionId) ?? []) listener.onUpdate(update);
    this.#early.delete(sessionId);
  }

  forget(sessionId: string): void {
    this.#listeners.delete(sessionId);
  }

  close(): void {
    this.#close();
  }

  #onUpdate(params: unknown): void {
    if (!isObject(params) || typeof params['sessionId'] !== 'string') return;
    const { sessionId, update } = params;
    const listener = this.#listeners.get(sessionId);
    if (listener !== undefined) {
      listener.onUpdate(update);
      return;
    }
    if (this.#sessionsInTheMaking === 0) return;
    const early = this.#early.get(sessionId) ?? [];
    this.#early.set(sessionId, early);
    if (early.length < MOST_EARLY_UPDATES) early.push(update);
  }

  async #onRequest(method: string, params: unknown, requestId: string): Promise<unknown> {
    const sessionId = isObject(params) ? params['sessionId'] : undefined;
    const listener = typeof sessionId === 'string' ? this.#listeners.get(sessionId) : undefined;
    if (listener === undefined) throw RequestError.invalidParams(undefined, 'no such session');
    try {
      return await listener.onRequest(method, params, requestId);
    } catch (error) {
      throw toRequestError(error, method);
    }
  }

  #explain(error: unknown): RpcCallFailure {
    if (error instanceof RequestError && !this.#isClosed) {
      const { code, message, data } = error;
      return { kind: 'refused', error: { code, message, data } };
    }
    return { kind: 'closed' };
  }
}

/** Agents ask for files that are not there, before they make them, and know this code for it. */
function toRequestError(error: unknown, method: string): RequestError {
  if (error instanceof UnknownMethod) return RequestError.methodNotFound(method);
  const message = messageOf(error);
  const isMissing = hasErrno(error, 'ENOENT');
  return isMissing
    ? new RequestError(RESOURCE_NOT_FOUND, message)
    : RequestError.internalError(undefined, message);
}
