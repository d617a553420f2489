/** Programs whose configuration can be printed. */
export const MCP_CLIENTS = ['claude', 'cursor', 'codex', 'gemini'] as const;

export type McpClient = (typeof MCP_CLIENTS)[number];

/** Command that starts the server. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Names of variables that the client has to pass on. Clients start servers with few variables of their own. */
  readonly variables: readonly string[];
}

export interface ClientConfig {
  /** Text to paste. */
  readonly text: string;
  /** File for the text, and what to know about it. */
  readonly advice: string;
}

/** Name of the server in the client. Clients build the names of tools from it; the Gemini CLI accepts no underscore. */
const NAME = 'gemini-cli';

/** Builds what a user pastes into a client, so that the client starts the server. */
export function createClientConfig(client: McpClient, server: ServerCommand): ClientConfig {
  switch (client) {
    case 'claude':
      return {
        text: toJson(server, (name) => `\${${name}}`, { type: 'stdio' }),
        advice:
          'Paste it into .mcp.json of the project, or into claude_desktop_config.json of Claude Desktop, which needs the values themselves in `env`.',
      };
    case 'cursor':
      return {
        text: toJson(server, (name) => `\${env:${name}}`),
        advice: 'Paste it into .cursor/mcp.json of the project, or into ~/.cursor/mcp.json.',
      };
    case 'codex':
      return {
        text: toToml(server),
        advice:
          'Paste it into ~/.codex/config.toml, or into .codex/config.toml of a trusted project.',
      };
    case 'gemini':
      return {
        text: toJson(server, (name) => `$${name}`),
        advice:
          'Paste it into .gemini/settings.json of the project, or into ~/.gemini/settings.json.',
      };
  }
}

function toJson(
  { command, args, variables }: ServerCommand,
  refer: (name: string) => string,
  more: Readonly<Record<string, string>> = {},
): string {
  const env = Object.fromEntries(variables.map((name) => [name, refer(name)]));
  const entry = { ...more, command, args, ...(variables.length === 0 ? {} : { env }) };
  return JSON.stringify({ mcpServers: { [NAME]: entry } }, null, 2);
}

/** Basic strings of TOML have the escapes of JSON, and DEL has to be escaped, too. */
function toToml({ command, args, variables }: ServerCommand): string {
  const quote = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007F');
  const list = (texts: readonly string[]): string => `[${texts.map(quote).join(', ')}]`;
  return [
    `[mcp_servers.${NAME}]`,
    `command = ${quote(command)}`,
    `args = ${list(args)}`,
    ...(variables.length === 0 ? [] : [`env_vars = ${list(variables)}`]),
  ].join('\n');
}
