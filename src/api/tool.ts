/** Kind of a tool, in the vocabulary of the Agent Client Protocol. */
export type ToolKind =
  | 'read'
  | 'edit'
  | 'delete'
  | 'move'
  | 'search'
  | 'execute'
  | 'think'
  | 'fetch'
  | 'browse'
  | 'ask'
  | 'memory'
  | 'mcp'
  | 'other';

/** Category of a tool for a pipeline. It is derived from the exact name of the tool, never from a part of it. */
export type ToolCategory =
  | 'command'
  | 'file-read'
  | 'file-write'
  | 'ask-user'
  | 'search-fetch'
  | 'planning'
  | 'agent'
  | 'mcp'
  | 'unknown';

/** A tool call that was refused. The step itself may still succeed. */
export interface DeniedTool {
  /** Name of the tool, as the agent calls it. */
  readonly tool: string;
  /** Id of the tool call. */
  readonly toolId: string;
  /**
   * `not_registered`: the CLI hides the tool from the model in this mode. `policy`: a rule or a hook refused the call.
   * `permission`: the agent asked for a permission and the answer was no (ACP).
   */
  readonly reason: 'not_registered' | 'policy' | 'permission';
  /** Message of the agent, without secrets. */
  readonly message: string;
  /** Setting that would allow the call, or the reason why none does. */
  readonly hint: string;
}
