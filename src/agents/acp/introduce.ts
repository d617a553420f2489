import type { AgentIdentity } from '../../api/agent-identity.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { readPackageVersion } from '../../base/fs/package-version.js';
import { isObject } from '../../base/json/is-object.js';
import { toList } from './acp-wire.js';
import type { AgentConnection } from './agent-connection.js';
import type { Launch } from './launch.js';

const CLIENT_NAME = 'gemini-cli-provider';

/**
 * Performs the handshake with an agent: `initialize`, and `authenticate` if the caller chose a method. Returns what the
 * agent told of itself. Throws an `RpcCallError`, or a `ProviderError` if the agent speaks another version of the protocol.
 */
export async function introduce(
  connection: AgentConnection,
  { capabilities: { files, terminals }, authMethod, name }: Launch,
): Promise<AgentIdentity> {
  const answer = await connection.call('initialize', {
    protocolVersion: connection.protocolVersion,
    clientCapabilities: {
      fs: { readTextFile: files, writeTextFile: files },
      terminal: terminals,
    },
    clientInfo: { name: CLIENT_NAME, title: 'Gemini CLI provider', version: readPackageVersion() },
  });
  const identity = readIdentity(answer);
  const { protocolVersion } = identity;
  if (protocolVersion !== undefined && protocolVersion !== connection.protocolVersion) {
    throw new ProviderError({
      code: 'PROTOCOL',
      message: `${name} speaks version ${protocolVersion} of the Agent Client Protocol, this package version ${connection.protocolVersion}`,
      hint: `Install a version of ${name} that speaks version ${connection.protocolVersion} of the protocol.`,
    });
  }
  if (authMethod !== undefined) {
    assertOffered(authMethod, isObject(answer) ? answer['authMethods'] : undefined, name);
    await connection.call('authenticate', { methodId: authMethod });
  }
  return identity;
}

function readIdentity(answer: unknown): AgentIdentity {
  const { protocolVersion, agentInfo, agentCapabilities } = isObject(answer) ? answer : {};
  const info = isObject(agentInfo) ? agentInfo : {};
  return {
    protocolVersion: typeof protocolVersion === 'number' ? protocolVersion : undefined,
    name: textOf(info['title']) ?? textOf(info['name']),
    version: textOf(info['version']),
    capabilities: isObject(agentCapabilities) ? agentCapabilities : {},
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Throws AUTH if the agent offers methods and the chosen one is not among them. */
function assertOffered(authMethod: string, offered: unknown, name: string): void {
  const ids = toList(offered).flatMap((method) => (isObject(method) ? textOf(method['id']) : []));
  const known = ids.filter((id) => id !== undefined);
  if (known.length === 0 || known.includes(authMethod)) return;
  throw new ProviderError({
    code: 'AUTH',
    message: `${name} has no login method ${authMethod}`,
    hint: `Set \`authMethod\` to one of: ${known.join(', ')}.`,
  });
}
