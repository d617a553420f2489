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

  it('names the trace for the export of the CLI, beside attributes of the caller', () => {
    const position = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 };
    const ids = `gemini_cli_provider.trace_id=${'a'.repeat(32)},gemini_cli_provider.span_id=${'b'.repeat(16)}`;
    const inherited = { HOME: '/home/me', OTEL_RESOURCE_ATTRIBUTES: 'service.namespace=outer' };
    const attributesOf = (env: Record<string, string | true>) => {
      const config = resolveConfig({ env });
      return createAgentEnvironment(config, inherited, 'tag-1', position).env;
    };
    expect(attributesOf({})).toMatchObject({
      TRACEPARENT: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
      OTEL_RESOURCE_ATTRIBUTES: ids,
    });
    const own = attributesOf({ OTEL_RESOURCE_ATTRIBUTES: 'x=1' });
    expect(own['OTEL_RESOURCE_ATTRIBUTES']).toBe(`x=1,${ids}`);
    const outer = attributesOf({ OTEL_RESOURCE_ATTRIBUTES: true });
    expect(outer['OTEL_RESOURCE_ATTRIBUTES']).toBe(`service.namespace=outer,${ids}`);
  });
});
