interface NamedValue {
  /** Name of the variable or header. */
  readonly name: string;
  /** Value of the variable or header. */
  readonly value: string;
}

/** An MCP server for the sessions of a step: a program (stdio), or an address (`http`, `sse`). ACP only. */
export type McpServer =
  | {
      /** Name of the server. */
      readonly name: string;
      /** Program to start. */
      readonly command: string;
      /**
       * Arguments of the program.
       *
       * @defaultValue `[]`
       */
      readonly args?: readonly string[] | undefined;
      /**
       * Environment variables for the program.
       *
       * @defaultValue `[]`
       */
      readonly env?: readonly NamedValue[] | undefined;
    }
  | {
      /** Transport of the server. */
      readonly type: 'http' | 'sse';
      /** Name of the server. */
      readonly name: string;
      /** Address of the server. */
      readonly url: string;
      /**
       * HTTP headers for each request.
       *
       * @defaultValue `[]`
       */
      readonly headers?: readonly NamedValue[] | undefined;
    };
