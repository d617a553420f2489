import { describe, expect, it } from 'vitest';
import { AcpAgentProvider } from '../../src/step/acp-agent-provider.js';
import { registerAcpAgent } from '../../src/step/register-acp-agent.js';
import { ProviderRegistry } from '../../src/step/registry.js';

describe('another agent as a plugin', () => {
  it('is registered under its own name or a given one, and created from a configuration', () => {
    const registry = registerAcpAgent(registerAcpAgent(new ProviderRegistry()), 'qwen');
    expect(registry.list()).toEqual(['acp-agent', 'qwen']);
    const { metadata } = registry.fromConfig('qwen', { command: 'qwen', auth_method: 'openai' });
    expect(metadata).toBe(AcpAgentProvider.getMetadata());
    expect(metadata).toMatchObject({ name: 'acp-agent', requiresConfig: true });
    expect(metadata.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(metadata.configKeys).toEqual(expect.arrayContaining(['command', 'args', 'model']));
    expect(metadata.configKeys).not.toContain('cliPath');
  });

  it('refuses a configuration without a command and a value that is no registry', () => {
    const registry = registerAcpAgent(new ProviderRegistry());
    expect(() => registry.fromConfig('acp-agent', {})).toThrow('command');
    // @ts-expect-error: plain JavaScript may pass any value
    expect(() => registerAcpAgent({})).toThrow('must be a ProviderRegistry');
  });
});
