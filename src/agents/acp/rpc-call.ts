import type { RpcError } from './profile.js';

/** The one who has to do with a session. */
export interface SessionListener {
  onUpdate(update: unknown): void;
  /** A request of the agent. What it throws is told to the agent. */
  onRequest(method: string, params: unknown, requestId: string): Promise<unknown>;
}

/** An answer that was an error, or the end of the connection. */
export type RpcCallFailure =
  | { readonly kind: 'refused'; readonly error: RpcError }
  | { readonly kind: 'closed' };

export class RpcCallError extends Error {
  readonly failure: RpcCallFailure;

  constructor(failure: RpcCallFailure) {
    super(failure.kind === 'closed' ? 'The agent has gone' : failure.error.message);
    this.failure = failure;
  }
}

/** Thrown by a listener for a method that it does not serve. */
export class UnknownMethod extends Error {}
