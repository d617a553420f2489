import type { PermissionDecision, PermissionOption } from './agent-event.js';
import type { ToolKind } from './tool.js';

/** A request of the agent for permission to use a tool. ACP only. */
export interface PermissionRequest {
  /** Id of the agent's session. */
  readonly sessionId: string;
  /** Id of the tool call. */
  readonly callId: string;
  /** Name of the tool, as the agent calls it. */
  readonly toolName: string;
  /** Kind of the tool in the Agent Client Protocol. */
  readonly kind: ToolKind;
  /** Title of the call for display. The name of the tool if the agent gives none. */
  readonly title: string;
  /** Arguments of the call, as far as the agent reports them. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Paths that the call names. */
  readonly locations: readonly string[];
  /** Answers that the agent offers. */
  readonly options: readonly PermissionOption[];
  /** Answer that `deniedTools`, `allowedTools` and `approvalMode` would give. */
  readonly suggested: PermissionDecision;
}

/**
 * Decides a permission request in place of the rules. An exception, an invalid answer, or no answer within
 * `permissionTimeout` rejects the request.
 */
export type OnPermission = (
  request: PermissionRequest,
) => PermissionDecision | Promise<PermissionDecision>;
