import { describe, expect, it } from 'vitest';
import { findNulCharacters } from '../../src/config/nul-characters.js';
import { resolveConfig } from '../../src/config/resolve-config.js';
import { failureOf } from '../fixtures/cli/support.js';

const SECRET = 'top\0secret';

describe('a NUL character', () => {
  it.each([
    ['model', { model: 'a\0b' }],
    ['workingDir', { workingDir: '/tmp/a\0b' }],
    ['cliPath', { cliPath: '/tmp/a\0b' }],
    ['sandbox', { sandbox: 'dock\0er' }],
    ['extraArgs.1', { extraArgs: ['--debug', '--x=\0'] }],
    ['includeDirectories.0', { includeDirectories: ['a\0b'] }],
    ['systemPrompt.file', { systemPrompt: { mode: 'replace', file: 'a\0b' } }],
    ['mcpServers.0.command', { transport: 'acp', mcpServers: [{ name: 'a', command: 'b\0' }] }],
  ])('in %s is found before anything runs', async (key, config) => {
    const problem = { key, problem: 'must not contain a NUL character' };
    expect(findNulCharacters(config)).toMatchObject([problem]);
    expect(await failureOf(() => resolveConfig(config))).toMatchObject({
      code: 'INVALID_CONFIG',
      problems: expect.arrayContaining([expect.objectContaining(problem)]),
    });
  });

  it('in a variable is found, and the value is not shown', () => {
    const problems = findNulCharacters({ env: { MY_API_KEY: SECRET, OTHER: 'x', PASSED: true } });
    expect(problems).toMatchObject([{ key: 'env.MY_API_KEY', value: '(hidden)' }]);
  });

  it('is not looked for in loggers and the like, nor for ever', () => {
    class Logger {
      readonly name = '\0';
    }
    const endless: unknown[] = [];
    endless.push(endless);
    expect(findNulCharacters({ logger: new Logger(), extraArgs: endless, model: 'x' })).toEqual([]);
  });
});
