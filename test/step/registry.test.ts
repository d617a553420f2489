import { describe, expect, it } from 'vitest';
import type { ResponseProvider } from '../../src/api/response-provider.js';
import { type ProviderPlugin, ProviderRegistry } from '../../src/step/registry.js';
import { failureOf } from '../fixtures/cli/support.js';

function makePlugin(name: string) {
  const configs: unknown[] = [];
  const refuse = () => Promise.reject(new Error('not here'));
  const metadata = {
    name,
    description: name,
    requiresConfig: false,
    configKeys: [],
    defaultResponseTimeout: 1,
    fsAbility: 'none' as const,
  };
  const provider: ResponseProvider = {
    metadata,
    validate: refuse,
    generate: refuse,
    // biome-ignore lint/correctness/useYield: it never comes to that.
    async *stream() {
      await refuse();
    },
    dispose: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  const plugin: ProviderPlugin = {
    metadata,
    create: (config) => {
      configs.push(config);
      return provider;
    },
  };
  return { plugin, provider, configs };
}

describe('a registry of providers', () => {
  it('creates a provider by its name with the given configuration', () => {
    const { plugin, provider, configs } = makePlugin('one');
    const registry = new ProviderRegistry().register(plugin);
    expect(registry.create('one', { model: 'x' })).toBe(provider);
    expect(registry.create('one')).toBe(provider);
    expect(registry.fromConfig('one', null)).toBe(provider);
    expect(() => registry.fromConfig('one', 'x')).toThrow('config = "x": must be an object');
    expect(configs).toEqual([{ model: 'x' }, {}, {}]);
  });

  it('refuses a configuration that cannot be read', async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const registry = new ProviderRegistry().register(makePlugin('one').plugin);
    for (const config of [proxy, [], 'x']) {
      expect(await failureOf(async () => registry.fromConfig('one', config))).toMatchObject({
        code: 'INVALID_CONFIG',
      });
    }
  });

  it('lists names in the order of registration, also those given by the caller', () => {
    const [one, two] = [makePlugin('one').plugin, makePlugin('two').plugin];
    const registry = new ProviderRegistry().register(two).register(one).register(one, 'uno');
    expect(registry.list()).toEqual(['two', 'one', 'uno']);
    expect(registry.metadata('uno')).toBe(one.metadata);
    expect([registry.has('uno'), registry.has('three')]).toEqual([true, false]);
  });

  it('refuses a name that is already registered', async () => {
    const registry = new ProviderRegistry().register(makePlugin('one').plugin);
    const again = () => registry.register(makePlugin('one').plugin);
    expect(await failureOf(again)).toMatchObject({
      code: 'INVALID_CONFIG',
      message: 'A provider named "one" is already registered',
      hint: expect.stringContaining('register(plugin, name)'),
    });
  });

  it('lists the known names in the error for an unknown one', async () => {
    const registry = new ProviderRegistry();
    const create = () => registry.create('gemini');
    expect(await failureOf(create)).toMatchObject({
      code: 'INVALID_CONFIG',
      message: 'No provider named "gemini" is registered (known: none)',
      hint: expect.stringContaining('registerGeminiCli(registry)'),
    });
    registry.register(makePlugin('one').plugin).register(makePlugin('two').plugin);
    expect(await failureOf(create)).toMatchObject({
      message: 'No provider named "gemini" is registered (known: one, two)',
      hint: expect.stringMatching(/one, two\.$/),
    });
    expect(() => registry.metadata('toString')).toThrow('No provider named "toString"');
  });
});
