import type { PermissionDecision, PermissionOption } from './agent-event.js';
import type { ToolKind } from './tool.js';
import type { ToolContent } from './tool-event.js';

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
  /** Content that the agent shows with the request, such as the diff of an edit. */
  readonly content: readonly ToolContent[];
  /** Answers that the agent offers. */
  readonly options: readonly PermissionOption[];
  /** Answer that `deniedTools`, `allowedTools` and `approvalMode` would give. */
  readonly suggested: PermissionDecision;
}

/** Chooses one of the `options` of a permission request by its id, such as one of two that allow the call always. */
export interface PermissionChoice {
  /** The `optionId` of an offered option. */
  readonly optionId: string;
}

/** Answer of `onPermission`: a decision, for which the best offered option is chosen, or one of the options itself. */
export type PermissionAnswer = PermissionDecision | PermissionChoice;

/**
 * Decides a permission request in place of the rules. An exception, an answer that is neither a decision nor an offered
 * option, or no answer within `permissionTimeout` rejects the request, and the log tells why.
 */
export type OnPermission = (
  request: PermissionRequest,
) => PermissionAnswer | Promise<PermissionAnswer>;
