import { invalidInput, readInput } from '../base/errors/invalid-input.js';
import { AcpAgentProvider } from './acp-agent-provider.js';
import { ProviderRegistry } from './registry.js';

/**
 * Registers `AcpAgentProvider` under the name `acp-agent`, or under the given one: an engine may register one name for
 * each agent. Returns the registry.
 */
export function registerAcpAgent(registry: ProviderRegistry, name?: string): ProviderRegistry {
  if (!readInput('registry', () => registry instanceof ProviderRegistry)) {
    throw invalidInput('registry', 'a ProviderRegistry', registry);
  }
  const plugin = {
    metadata: AcpAgentProvider.getMetadata(),
    create: (config: unknown) => AcpAgentProvider.fromConfig(config),
  };
  return registry.register(plugin, name);
}
