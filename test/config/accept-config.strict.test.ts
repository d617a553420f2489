import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../src/base/errors/provider-error.js';
import { acceptConfig } from '../../src/config/accept-config.js';
import { failureOf } from '../fixtures/cli/support.js';

const problemsOf = (config: object, base: object = {}) =>
  failureOf(() => acceptConfig(config, { ...base }, 'gemini'));

describe('a strict configuration', () => {
  it('refuses unknown keys with the nearest name, all at once', async () => {
    expect(await problemsOf({ strict: true, modle: 'x', colour: 'red' })).toMatchObject({
      code: 'INVALID_CONFIG',
      problems: [
        { key: 'modle', value: 'x', problem: 'is an unknown key. Did you mean "model"?' },
        { key: 'colour', value: 'red', problem: 'is an unknown key' },
      ],
    });
  });

  it('holds for the options of a step, too', async () => {
    expect(await problemsOf({ modle: 'x' }, { strict: true })).toMatchObject({
      problems: [{ key: 'modle' }],
    });
  });

  it('refuses options without effect', async () => {
    const config = { strict: true, pool: {}, permission_timeout: 5 };
    expect(await problemsOf(config)).toMatchObject({
      problems: [{ key: 'pool' }, { key: 'permission_timeout' }],
    });
    expect(() => acceptConfig({ ...config, transport: 'acp' })).not.toThrow();
    expect(() => acceptConfig({ ...config, strict: false })).not.toThrow();
  });
});

describe('a key of another tool that restricts the agent', () => {
  it('is refused, whether the configuration is strict or not', async () => {
    expect(await problemsOf({ permissionMode: 'default' })).toMatchObject({
      problems: [{ key: 'permissionMode', problem: expect.stringContaining('approvalMode') }],
    });
  });
});

describe('a wrong tool name', () => {
  it('is named together with wrong values of other keys', async () => {
    const config = {
      timeout: -1,
      allowedTools: ['WriteFile', 'two words', 7],
      deniedTools: ['run_shel_command'],
      allowRedirection: ['run_shell_command(ls)'],
    };
    const error = await problemsOf(config);
    expect(ProviderError.isInstance(error) && error.problems?.map(({ key }) => key)).toEqual([
      'allowedTools.1',
      'allowedTools.2',
      'timeout',
      'allowRedirection',
      'allowedTools.0',
      'deniedTools.0',
    ]);
  });
});

describe('the key in a problem', () => {
  it('is written as the caller has written it', async () => {
    const config = { approval_mode: 'x', allowed_tools: 'two words', denied_tools: ['two words'] };
    expect(await problemsOf(config)).toMatchObject({
      problems: [{ key: 'approval_mode' }, { key: 'allowed_tools' }, { key: 'denied_tools.0' }],
    });
  });
});
