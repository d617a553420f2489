import { describe, expect, it } from 'vitest';
import { GeminiCliProvider } from '../../src/step/gemini-cli-provider.js';
import { registerGeminiCli } from '../../src/step/register-gemini-cli.js';
import { ProviderRegistry } from '../../src/step/registry.js';

describe('the Gemini CLI as a plugin', () => {
  it('is registered under its own name and created from a configuration in snake_case', () => {
    const registry = registerGeminiCli(new ProviderRegistry());
    expect(registry.list()).toEqual(['gemini-cli']);
    expect(registry.metadata('gemini-cli')).toEqual(GeminiCliProvider.getMetadata());
    const provider = registry.fromConfig('gemini-cli', { approval_mode: 'plan', model: null });
    expect(provider).toBeInstanceOf(GeminiCliProvider);
    expect(() => registry.fromConfig('gemini-cli', { approval_mode: 'please' })).toThrow(
      'approval_mode',
    );
  });
});
