import { describe, expect, it } from 'vitest';
import { createAgentEnvironment } from '../../../src/agents/gemini/agent-environment.js';
import { resolveConfig } from '../../../src/config/resolve-config.js';

const create = (config: Record<string, unknown>) => {
  return createAgentEnvironment(resolveConfig(config), { HOME: '/home/me', OTHER: 'x' }, 'tag-1');
};

describe('the environment of an agent', () => {
  it('is made of the parent environment, with the tag of the step', () => {
    const { env, geminiHome } = create({});
    expect(env).toMatchObject({ HOME: '/home/me', GEMINI_CLI_PROVIDER_TAG: 'tag-1' });
    expect(env).not.toHaveProperty('OTHER');
    expect(env).not.toHaveProperty('GEMINI_CLI_TRUST_WORKSPACE');
    expect(geminiHome).toBe('/home/me/.gemini');
  });

  it('has the variables that the configuration asks for', () => {
    const env = { GEMINI_CLI_HOME: '/elsewhere', OTHER: true };
    const made = create({ trustWorkspace: true, sandbox: 'podman', env });
    expect(made.geminiHome).toBe('/elsewhere/.gemini');
    expect(made.env).toMatchObject({
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_SANDBOX: 'podman',
      OTHER: 'x',
    });
  });
});
