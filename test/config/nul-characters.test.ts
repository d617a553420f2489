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
  ])('in %s is reported before the CLI starts', async (key, config) => {
    const problem = { key, problem: 'must not contain a NUL character' };
    expect(findNulCharacters(config)).toMatchObject([problem]);
    expect(await failureOf(() => resolveConfig(config))).toMatchObject({
      code: 'INVALID_CONFIG',
      problems: expect.arrayContaining([expect.objectContaining(problem)]),
    });
  });

  it('in a variable of env is reported without showing the value', () => {
    const problems = findNulCharacters({ env: { MY_API_KEY: SECRET, OTHER: 'x', PASSED: true } });
    expect(problems).toMatchObject([{ key: 'env.MY_API_KEY', value: '(hidden)' }]);
  });

  it('is not searched for in class instances or endlessly in circular values', () => {
    class Logger {
      readonly name = '\0';
    }
    const endless: unknown[] = [];
    endless.push(endless);
    expect(findNulCharacters({ logger: new Logger(), extraArgs: endless, model: 'x' })).toEqual([]);
  });
});
