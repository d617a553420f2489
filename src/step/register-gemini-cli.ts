import { GeminiCliProvider } from './gemini-cli-provider.js';
import type { ProviderRegistry } from './registry.js';

/** Makes `gemini-cli` known to an engine. */
export function registerGeminiCli(registry: ProviderRegistry): ProviderRegistry {
  return registry.register({
    metadata: GeminiCliProvider.getMetadata(),
    create: (config) => new GeminiCliProvider(config),
  });
}
