import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../src/base/errors/provider-error.js';
import { acceptAgentConfig, findGeminiOptions } from '../../src/config/agent-config.js';
import { failureOf } from '../fixtures/cli/support.js';

async function problemsOf(input: unknown) {
  const error = await failureOf(() => acceptAgentConfig(input));
  if (!ProviderError.isInstance(error)) throw error;
  expect(error.code).toBe('INVALID_CONFIG');
  return (error.problems ?? []).map(({ key, value }) => [key, value]);
}

describe('the configuration of an agent', () => {
  it('is split into the options of the agent and those of every provider', () => {
    expect(acceptAgentConfig({ command: 'goose', model: 'm', timeout: 5 })).toEqual({
      agent: { command: 'goose', args: [], name: 'goose', authMethod: undefined },
      rest: { model: 'm', timeout: 5, transport: 'acp' },
    });
    const given = { command: '/bin/x', args: ['acp'], name: 'X', authMethod: 'key' };
    expect(acceptAgentConfig(given)).toEqual({ agent: given, rest: { transport: 'acp' } });
  });

  it('treats null as not set, as in a YAML file', () => {
    const input = { command: 'x', args: null, name: null, auth_method: 'key', sandbox: null };
    expect(acceptAgentConfig(input).agent).toEqual({
      command: 'x',
      args: [],
      name: 'x',
      authMethod: 'key',
    });
  });

  it('requires a command and reports every problem at once', async () => {
    expect(await problemsOf({})).toMatchObject([['command', expect.anything()]]);
    expect(await problemsOf(null)).toHaveLength(1);
    const input = { command: '', args: 'x', name: '', authMethod: 7, cliPath: 'y' };
    expect((await problemsOf(input)).map(([key]) => key)).toEqual([
      'command',
      'args',
      'name',
      'authMethod',
      'cliPath',
    ]);
    expect(await problemsOf({ command: 'x', args: ['a', 7] })).toEqual([['args.1', 7]]);
  });

  it.each(['x', 7, []])('must be an object, not %j', async (input) => {
    expect(await problemsOf(input)).toEqual([['config', input]]);
  });
});

describe('options that only the Gemini CLI supports', () => {
  it.each([
    'cliPath',
    'cli_path',
    'extraArgs',
    'expandAt',
    'includeDirectories',
    'include_directories',
    'maxCliAttempts',
    'sandbox',
    'sessionId',
    'transport',
    'trust_workspace',
  ])('include %s, which is refused for other agents', (key) => {
    expect(findGeminiOptions({ [key]: 'x', model: 'm' })).toEqual([
      { key, value: 'x', problem: 'is supported by the Gemini CLI only' },
    ]);
  });

  it('cause no problem when they are not set', () => {
    expect(findGeminiOptions({ cliPath: undefined, sandbox: null, model: 'm' })).toEqual([]);
  });
});
