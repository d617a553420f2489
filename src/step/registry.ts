import type { ProviderConfig } from '../api/provider-config.js';
import type { ProviderMetadata, ResponseProvider } from '../api/response-provider.js';
import { invalidInput, readInput } from '../base/errors/invalid-input.js';
import { ProviderError } from '../base/errors/provider-error.js';
import { isObject } from '../base/json/is-object.js';
import { createSuggest } from '../base/text/nearest-name.js';
import { readObject } from '../config/accept-config.js';

/** A provider as a plugin of an engine. */
export interface ProviderPlugin {
  /** Description of the provider. */
  readonly metadata: ProviderMetadata;
  /** Creates a provider with this configuration, which no compiler has checked. */
  create(config?: Readonly<Record<string, unknown>>): ResponseProvider;
}

/** Returns the name under which a plugin is registered. Throws INVALID_INPUT if the plugin is none. */
function checkPlugin(plugin: ProviderPlugin, givenName: string | undefined): string {
  const isPlugin = isObject(plugin) && isObject(plugin.metadata);
  if (!isPlugin || typeof plugin.create !== 'function') {
    throw invalidInput('plugin', 'an object with metadata and create()', plugin);
  }
  const name: unknown = givenName ?? plugin.metadata.name;
  if (typeof name === 'string' && name !== '') return name;
  throw invalidInput('name', 'a text that is not empty', name);
}

/** Providers by name, for engines with plugins. */
export class ProviderRegistry {
  readonly #plugins = new Map<string, ProviderPlugin>();

  /** Registers a plugin under its own name or under the given one. Throws INVALID_CONFIG if the name is taken. */
  register(plugin: ProviderPlugin, givenName?: string): this {
    const name = readInput('plugin', () => checkPlugin(plugin, givenName));
    if (this.#plugins.has(name)) {
      throw new ProviderError({
        code: 'INVALID_CONFIG',
        message: `A provider named "${name}" is already registered`,
        hint: 'Register each plugin once, or give it another name: `register(plugin, name)`.',
      });
    }
    this.#plugins.set(name, plugin);
    return this;
  }

  /** Creates a provider by its name. Throws INVALID_CONFIG if the name is not registered. */
  create(name: string, config: ProviderConfig = {}): ResponseProvider {
    return this.fromConfig(name, config);
  }

  /**
   * Creates a provider by its name with a configuration that no compiler has checked, such as one from a YAML file, or
   * with the configuration of another provider. Throws INVALID_CONFIG.
   */
  fromConfig(name: string, config: unknown): ResponseProvider {
    const plugin = this.#get(name);
    const given = readInput('config', () => readObject(config, 'config'), 'INVALID_CONFIG');
    return plugin.create(given);
  }

  /** True if a provider is registered under the name. */
  has(name: string): boolean {
    return this.#plugins.has(name);
  }

  /** Returns the names in the order of registration. */
  list(): string[] {
    return [...this.#plugins.keys()];
  }

  /** Returns the description of a provider. Throws INVALID_CONFIG if the name is not registered. */
  metadata(name: string): ProviderMetadata {
    return this.#get(name).metadata;
  }

  #get(name: string): ProviderPlugin {
    if (typeof name !== 'string') throw invalidInput('name', 'the name of a provider', name);
    const plugin = this.#plugins.get(name);
    if (plugin !== undefined) return plugin;
    const known = this.list().join(', ');
    throw new ProviderError({
      code: 'INVALID_CONFIG',
      message: `No provider named "${name}" is registered (known: ${known || 'none'})${createSuggest(this.list())(name)}`,
      hint:
        known === ''
          ? 'Register its plugin first: `registerGeminiCli(registry)`, or `registry.register(plugin)`.'
          : `Use one of these names, or register the plugin first: ${known}.`,
    });
  }
}
