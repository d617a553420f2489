/** What a tool does, in the vocabulary of the Agent Client Protocol. */
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

/** What a tool means to a pipeline; derived from its exact name, never guessed from a part of it. */
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

/** A tool call that the CLI refused. The run itself may still have ended well. */
export interface DeniedTool {
  readonly tool: string;
  readonly toolId: string;
  /**
   * `not_registered`: hidden from the model in this mode. `policy`: refused by a rule or a hook.
   * `permission`: the agent asked, and the answer was no (ACP).
   */
  readonly reason: 'not_registered' | 'policy' | 'permission';
  /** The CLI's own words. */
  readonly message: string;
  /** The setting that would allow it, or why none does. */
  readonly hint: string;
}
