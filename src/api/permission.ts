import type { PermissionDecision, PermissionOption } from './agent-event.js';
import type { ToolKind } from './tool.js';

/** An agent asks whether it may use a tool. */
export interface PermissionRequest {
  readonly sessionId: string;
  readonly callId: string;
  readonly toolName: string;
  readonly kind: ToolKind;
  readonly title: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Paths that the call names. */
  readonly locations: readonly string[];
  readonly options: readonly PermissionOption[];
  /** What the policy of the configuration would answer. */
  readonly suggested: PermissionDecision;
}

/** Decides in place of the policy. A decision that takes too long counts as a rejection. */
export type OnPermission = (
  request: PermissionRequest,
) => PermissionDecision | Promise<PermissionDecision>;
