import { describe, expect, it } from 'vitest';
import { readConfigVariables } from '../../../src/cli/config/config-variables.js';

const read = (name: string, value: string) => {
  return readConfigVariables({ [`GEMINI_CLI_PROVIDER_${name}`]: value });
};

describe('a variable GEMINI_CLI_PROVIDER_*', () => {
  it.each<[string, string, Record<string, unknown>]>([
    ['MODEL', 'pro', { model: 'pro' }],
    ['MODEL', ' ', {}],
    ['TRUST_WORKSPACE', 'true', { trustWorkspace: true }],
    ['TRUST_WORKSPACE', '0', { trustWorkspace: false }],
    ['STRICT', 'Yes', { strict: true }],
    ['TIMEOUT', '5m', { timeout: '5m' }],
    ['TIMEOUT', '90', { timeout: 90 }],
    ['SANDBOX', 'podman', { sandbox: 'podman' }],
    ['SANDBOX', 'off', { sandbox: false }],
    ['ALLOWED_TOOLS', '["write_file"]', { allowedTools: ['write_file'] }],
    [
      'ALLOWED_TOOLS',
      'write_file\n run_shell_command(a, b)\n',
      { allowedTools: ['write_file', 'run_shell_command(a, b)'] },
    ],
    ['PROTECTED_PATHS', 'false', { protectedPaths: false }],
    ['POOL', '{"maxProcesses": 2}', { pool: { maxProcesses: 2 } }],
    ['ENV', '{"A": "1"}', { env: { A: '1' } }],
    ['QUEUE', 'redis://store', {}],
    ['BATCH_OUTCOME', 'failed', {}],
  ])('%s=%s is %j', (name, value, values) => {
    expect(read(name, value)).toMatchObject({ values, problems: [], unknown: [] });
  });

  it.each([
    ['TRUST_WORKSPACE', 'maybe', 'must be true or false'],
    ['TIMEOUT', 'soon', 'Give seconds, or a duration such as 90s, 5m or 1h30m.'],
    ['REPAIR', 'x', 'Give a number.'],
    ['POOL', '4', 'must be JSON'],
    ['POOL', '{', 'begins as JSON, but is not JSON'],
  ])('%s=%s is a problem', (name, value, problem) => {
    expect(read(name, value).problems).toEqual([
      { key: `GEMINI_CLI_PROVIDER_${name}`, value, problem },
    ]);
  });

  it('never shows a value of env', () => {
    expect(read('ENV', 'KEY=secret').problems).toMatchObject([{ value: '(hidden)' }]);
  });

  it('that no setting has is named, with the nearest one', () => {
    expect(read('MODLE', 'pro').unknown).toEqual([
      'The variable GEMINI_CLI_PROVIDER_MODLE is unknown and ignored. Did you mean GEMINI_CLI_PROVIDER_MODEL?',
    ]);
    expect(read('RESUME', 'latest').unknown).toHaveLength(1);
  });

  it('names the config file and the log level', () => {
    expect(read('CONFIG', 'a.yaml').config).toBe('a.yaml');
    expect(read('LOG_LEVEL', 'info').logLevel).toBe('info');
  });
});
