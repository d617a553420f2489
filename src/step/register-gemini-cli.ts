import { invalidInput, readInput } from '../base/errors/invalid-input.js';
import { GeminiCliProvider } from './gemini-cli-provider.js';
import { ProviderRegistry } from './registry.js';

/** Registers `GeminiCliProvider` under the name `gemini-cli`. Returns the registry. */
export function registerGeminiCli(registry: ProviderRegistry): ProviderRegistry {
  if (!readInput('registry', () => registry instanceof ProviderRegistry)) {
    throw invalidInput('registry', 'a ProviderRegistry', registry);
  }
  return registry.register({
    metadata: GeminiCliProvider.getMetadata(),
    create: (config) => GeminiCliProvider.fromConfig(config),
  });
}
