import type { RpcError } from './profile.js';

/** Receiver of the updates and requests of a session. */
export interface SessionListener {
  onUpdate(update: unknown): void;
  /** Serves a request of the agent. A thrown error is sent to the agent as the response. */
  onRequest(method: string, params: unknown, requestId: string): Promise<unknown>;
}

/** Reason why a call failed: an error response, or a closed connection. */
export type RpcCallFailure =
  | { readonly kind: 'refused'; readonly error: RpcError }
  | { readonly kind: 'closed' };

export class RpcCallError extends Error {
  readonly failure: RpcCallFailure;

  constructor(failure: RpcCallFailure) {
    super(
      failure.kind === 'closed' ? 'The connection to the agent is closed' : failure.error.message,
    );
    this.failure = failure;
  }
}

/** Error that a listener throws for a method that it does not serve. */
export class UnknownMethod extends Error {}

/** Error that a listener throws for parameters that it cannot serve, such as a path outside of the workspace. */
export class InvalidParams extends Error {}
