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
  InvalidParams,
  RpcCallError,
  type RpcCallFailure,
  type SessionListener,
  UnknownMethod,
} from './rpc-call.js';

const CLIENT_NAME = 'gemini-cli-provider';
const MAX_LOGGED_CHARACTERS = 200;
const RESOURCE_NOT_FOUND = -32_002;
/** Limit of updates buffered per new session. They may arrive before the response that has the id of the session. */
const MAX_EARLY_UPDATES = 1_000;

/**
 * JSON-RPC connection to one agent. Sends calls, and passes updates and requests to the listener of their session.
 */
export class AgentConnection {
  readonly protocolVersion = PROTOCOL_VERSION;
  readonly #listeners = new Map<string, SessionListener>();
  readonly #earlyUpdates = new Map<string, unknown[]>();
  readonly #agent: ClientContext;
  readonly #close: () => void;
  #isClosed = false;
  #sessionsBeingCreated = 0;

  constructor(stdin: Writable, stdout: Readable, logger: Logger) {
    const stream = createMessageStream(stdin, stdout, {
      onUpdate: (params) => this.#onUpdate(params),
      onNoise: (line) => {
        const shown = line.slice(0, MAX_LOGGED_CHARACTERS);
        logger.warn(
          { line: shown },
          'A line of the agent is dropped: it is not a JSON-RPC message',
        );
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

  /** Calls a method of the agent. Throws an `RpcCallError`. */
  async call(method: string, params: object): Promise<unknown> {
    try {
      return await this.#agent.request<unknown>(method, params);
    } catch (error) {
      throw new RpcCallError(this.#toFailure(error));
    }
  }

  /** Calls a method that creates or loads a session. Updates that arrive meanwhile are buffered for its listener. */
  async callForSession(method: string, params: object): Promise<unknown> {
    // No session is being created, so buffered updates belong to closed sessions: drop them.
    if (this.#sessionsBeingCreated === 0) this.#earlyUpdates.clear();
    this.#sessionsBeingCreated++;
    try {
      return await this.call(method, params);
    } finally {
      this.#sessionsBeingCreated--;
    }
  }

  notify(method: string, params: object): void {
    this.#agent.notify(method, params).catch(() => {});
  }

  listen(sessionId: string, listener: SessionListener): void {
    this.#listeners.set(sessionId, listener);
    for (const update of this.#earlyUpdates.get(sessionId) ?? []) listener.onUpdate(update);
    this.#earlyUpdates.delete(sessionId);
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
    if (this.#sessionsBeingCreated === 0) return;
    const buffered = this.#earlyUpdates.get(sessionId) ?? [];
    this.#earlyUpdates.set(sessionId, buffered);
    if (buffered.length < MAX_EARLY_UPDATES) buffered.push(update);
  }

  async #onRequest(method: string, params: unknown, requestId: string): Promise<unknown> {
    const sessionId = isObject(params) ? params['sessionId'] : undefined;
    const listener = typeof sessionId === 'string' ? this.#listeners.get(sessionId) : undefined;
    if (listener === undefined)
      throw RequestError.invalidParams(undefined, 'The field `sessionId` names no open session');
    try {
      return await listener.onRequest(method, params, requestId);
    } catch (error) {
      throw toRequestError(error, method);
    }
  }

  #toFailure(error: unknown): RpcCallFailure {
    if (error instanceof RequestError && !this.#isClosed) {
      const { code, message, data } = error;
      return { kind: 'refused', error: { code, message, data } };
    }
    return { kind: 'closed' };
  }
}

/** Maps an error to a JSON-RPC error. ENOENT has its own code, because agents read a file before they create it. */
function toRequestError(error: unknown, method: string): RequestError {
  if (error instanceof UnknownMethod) return RequestError.methodNotFound(method);
  const message = messageOf(error);
  if (error instanceof InvalidParams) return RequestError.invalidParams(undefined, message);
  const isMissing = hasErrno(error, 'ENOENT');
  return isMissing
    ? new RequestError(RESOURCE_NOT_FOUND, message)
    : RequestError.internalError(undefined, message);
}
