import type { ProviderMetadata, ResponseProvider } from '../api/response-provider.js';
import { ProviderError } from '../base/errors/provider-error.js';

/** What a plugin hands to an engine. */
export interface ProviderPlugin {
  readonly metadata: ProviderMetadata;
  create(config?: Readonly<Record<string, unknown>>): ResponseProvider;
}

/** Providers by name: how an engine takes them in as plugins. */
export class ProviderRegistry {
  readonly #plugins = new Map<string, ProviderPlugin>();

  /** Registers a plugin under its own name or another. A name can be taken once only. */
  register(plugin: ProviderPlugin, name: string = plugin.metadata.name): this {
    if (this.#plugins.has(name)) {
      throw new ProviderError({
        code: 'INVALID_CONFIG',
        message: `A provider named "${name}" is registered already`,
        hint: 'Register it once only, or give it another name: `register(plugin, name)`.',
      });
    }
    this.#plugins.set(name, plugin);
    return this;
  }

  create(name: string, config: Readonly<Record<string, unknown>> = {}): ResponseProvider {
    return this.#get(name).create(config);
  }

  has(name: string): boolean {
    return this.#plugins.has(name);
  }

  /** The names, in the order of registration. */
  list(): string[] {
    return [...this.#plugins.keys()];
  }

  metadata(name: string): ProviderMetadata {
    return this.#get(name).metadata;
  }

  #get(name: string): ProviderPlugin {
    const plugin = this.#plugins.get(name);
    if (plugin !== undefined) return plugin;
    const known = this.list().join(', ');
    throw new ProviderError({
      code: 'INVALID_CONFIG',
      message: `No provider named "${name}" is registered (there are: ${known || 'none'})`,
      hint:
        known === ''
          ? 'Register its plugin first: `registerGeminiCli(registry)`, or `registry.register(plugin)`.'
          : `Use one of these names, or register the plugin first: ${known}.`,
    });
  }
}
