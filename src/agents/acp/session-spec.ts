import type { McpServer } from '../../api/mcp-server.js';

/** Parameters of a new session. Sessions with equal keys are interchangeable. */
export interface SessionSpec {
  readonly cwd: string;
  readonly mcpServers: readonly McpServer[];
}

export function keyOfSession({ cwd, mcpServers }: SessionSpec): string {
  return JSON.stringify([cwd, mcpServers]);
}

/** Maps a session to the form of the protocol, which requires lists even if they are empty. */
export function toWireSession({ cwd, mcpServers }: SessionSpec): object {
  return {
    cwd,
    mcpServers: mcpServers.map((server) => {
      return 'command' in server ? { args: [], env: [], ...server } : { headers: [], ...server };
    }),
  };
}
