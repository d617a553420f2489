interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** An MCP server for the sessions of a run, passed to the agent as it is. */
export type McpServer =
  | {
      readonly name: string;
      readonly command: string;
      readonly args?: readonly string[] | undefined;
      readonly env?: readonly NamedValue[] | undefined;
    }
  | {
      readonly type: 'http' | 'sse';
      readonly name: string;
      readonly url: string;
      readonly headers?: readonly NamedValue[] | undefined;
    };
