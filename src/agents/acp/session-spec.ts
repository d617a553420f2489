import type { McpServer } from '../../api/mcp-server.js';

/** What a session is made with. Sessions with equal keys can stand in for each other. */
export interface SessionSpec {
  readonly cwd: string;
  readonly mcpServers: readonly McpServer[];
}

export function keyOfSession({ cwd, mcpServers }: SessionSpec): string {
  return JSON.stringify([cwd, mcpServers]);
}

/** As the protocol wants it: lists must be there, also where they are empty. */
export function toWireSession({ cwd, mcpServers }: SessionSpec): object {
  return {
    cwd,
    mcpServers: mcpServers.map((server) => {
      return 'command' in server ? { args: [], env: [], ...server } : { headers: [], ...server };
    }),
  };
}
