import { secretsOf } from '../base/errors/redact.js';
import type { Environment } from '../base/process/environment.js';
import type { ResolvedConfig } from '../config/resolve-config.js';

/**
 * Returns the values that are hidden in errors, logs and artifacts of a step: secrets of the agent's environment and of
 * its MCP servers, and the variables that `secrets` names, also those that the agent does not get.
 */
export function findStepSecrets(
  { secrets: named, mcpServers }: Pick<ResolvedConfig, 'secrets' | 'mcpServers'>,
  env: Readonly<Record<string, string>>,
  environment: Environment,
): string[] {
  const givenToServers = mcpServers.flatMap((server) => {
    return 'command' in server ? (server.env ?? []) : (server.headers ?? []);
  });
  return [
    ...secretsOf(env, named),
    ...secretsOf(Object.fromEntries(named.map((name) => [name, environment[name]])), named),
    ...givenToServers.flatMap(({ name, value }) => secretsOf({ [name]: value }, named)),
  ];
}
