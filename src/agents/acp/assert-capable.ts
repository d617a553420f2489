import type { AgentIdentity } from '../../api/agent-identity.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { isObject } from '../../base/json/is-object.js';
import type { SessionSpec } from './session-spec.js';

/** Throws INVALID_INPUT if the agent did not tell in the handshake that it can load sessions. */
export function assertCanLoad({ capabilities }: AgentIdentity, name: string): void {
  if (capabilities['loadSession'] === true) return;
  throw new ProviderError({
    code: 'INVALID_INPUT',
    message: `${name} cannot continue an earlier session: it does not offer session/load`,
    hint: 'Remove `resume`, or use a version of the agent that can load sessions.',
  });
}

/** Throws INVALID_CONFIG if a session needs MCP servers of a kind that the agent did not offer in the handshake. */
export function assertServersSupported(
  { capabilities }: AgentIdentity,
  { mcpServers }: SessionSpec,
  name: string,
): void {
  const offered = capabilities['mcpCapabilities'];
  const isOffered = (type: string): boolean => isObject(offered) && offered[type] === true;
  const missing = mcpServers.filter((server) => !('command' in server) && !isOffered(server.type));
  const [first] = missing;
  if (first === undefined || 'command' in first) return;
  throw new ProviderError({
    code: 'INVALID_CONFIG',
    message: `${name} cannot use MCP servers over ${first.type}: ${missing.map((server) => server.name).join(', ')}`,
    hint: 'Remove these servers from `mcpServers`, or give servers that are started by a command.',
  });
}
