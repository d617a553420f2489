import { GeminiCliProvider } from './gemini-cli-provider.js';
import type { ProviderRegistry } from './registry.js';

/** Registers `GeminiCliProvider` under the name `gemini-cli`. Returns the registry. */
export function registerGeminiCli(registry: ProviderRegistry): ProviderRegistry {
  return registry.register({
    metadata: GeminiCliProvider.getMetadata(),
    create: (config) => new GeminiCliProvider(config),
  });
}
