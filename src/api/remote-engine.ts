import type { AgentEvent, PermissionDecision } from './agent-event.js';
import type { PermissionRequest } from './permission.js';

/** A session that an engine leads by itself, such as a batch. */
export interface RemoteEngineOptions {
  /** Folder in which the engine works, for display. */
  readonly folder: string;
  /** Title of the session on one line. */
  readonly title: string;
}

/** A session of an engine on the page: devices see its progress and answer what its agents ask. */
export interface RemoteEngineSession {
  /** Id of the session on the server. */
  readonly id: string;
  /**
   * Asks the devices for a permission. Resolves with `reject` if the request is denied, or if its part ends without an answer.
   *
   * @param part name of the part of the work that asks, such as the id of a step
   */
  ask(part: string, request: PermissionRequest): Promise<PermissionDecision>;
  /** Shows an event of the agent that works on a part. */
  accept(part: string, event: AgentEvent): void;
  /** Ends a part. Its open requests are withdrawn. */
  endPart(part: string): void;
  /** Shows a remark. */
  note(level: 'info' | 'warning' | 'error', message: string): void;
  /** Reports the tokens so far, and their estimated cost in US dollars. */
  usage(tokens: number, costUsd: number | undefined): void;
  /** Ends the session. Open requests are withdrawn. */
  end(reason: string): void;
}
