import { describe, expect, it } from 'vitest';
import { featuresOf } from '../../../src/agents/gemini/cli-features.js';
import { type ArgumentsRequest, buildArguments } from '../../../src/agents/headless/arguments.js';
import { ProviderError } from '../../../src/base/errors/provider-error.js';
import { type ConfigValues, resolveConfig } from '../../../src/config/resolve-config.js';

type Rest = Partial<Pick<ArgumentsRequest, 'includeDirectories' | 'policyFile'>>;

function build(values: ConfigValues, version = '0.61.0', rest: Rest = {}): string[] {
  return buildArguments({
    config: resolveConfig(values),
    features: featuresOf(version),
    includeDirectories: [],
    policyFile: undefined,
    ...rest,
  });
}

describe('the arguments of the CLI', () => {
  it('are few if nothing is configured', () => {
    expect(build({})).toEqual(['--output-format=stream-json', '--approval-mode=auto_edit']);
  });

  it.each([
    [{ model: 'gemini-x' }, '--model=gemini-x'],
    [{ model: '-odd' }, '--model=-odd'],
    [{ approvalMode: 'plan' }, '--approval-mode=plan'],
    [{ sandbox: true }, '--sandbox'],
    [{ resume: 3 }, '--resume=3'],
    [{ resume: 'latest' }, '--resume=latest'],
    [{ sessionId: 'step-1' }, '--session-id=step-1'],
  ])('for %j include %s', (values, argument) => {
    expect(build(values)).toContain(argument);
  });

  it('bind every value with an equals sign', () => {
    const args = build({ model: '--x', resume: '-1' }, '0.61.0', {
      includeDirectories: ['-dir'],
      policyFile: '-p.toml',
    });
    expect(args.every((argument) => /^--[a-z-]+=/.test(argument))).toBe(true);
  });

  it('name every further directory, in order', () => {
    const args = build({}, '0.61.0', { includeDirectories: ['/b', '/a b'] });
    expect(args.slice(2)).toEqual(['--include-directories=/b', '--include-directories=/a b']);
  });

  it('leave the name of a sandbox command to the environment', () => {
    expect(build({ sandbox: 'podman' }).join(' ')).not.toContain('sandbox');
  });

  it('never contain a prompt, a trust flag or a session id for a resumed session', () => {
    const args = build({ resume: 'latest', trustWorkspace: true }).join(' ');
    expect(args).not.toMatch(/prompt|trust|session-id/);
  });

  it('end with the arguments of the caller', () => {
    expect(build({ extraArgs: ['-e', 'none'] }).slice(-2)).toEqual(['-e', 'none']);
  });
});

describe('tool rules', () => {
  const rules = { allowedTools: ['write_file', 'run_shell_command(npm test)'] };

  it('reach the CLI as a policy file', () => {
    const args = build(rules, '0.61.0', { policyFile: '/run/policy.toml' });
    expect(args).toContain('--policy=/run/policy.toml');
    expect(args.join(' ')).not.toContain('--allowed-tools');
  });

  it('replace the mode auto_edit of the CLI, which lets allowed commands redirect', () => {
    const policyFile = '/run/policy.toml';
    const modeOf = (values: ConfigValues, version = '0.61.0') => {
      return build(values, version, { policyFile })[1];
    };
    expect(modeOf({})).toBe('--approval-mode=default');
    expect(modeOf({ approvalMode: 'plan' })).toBe('--approval-mode=plan');
    expect(modeOf({ approvalMode: 'yolo' })).toBe('--approval-mode=yolo');
    expect(modeOf({}, '0.29.0')).toBe('--approval-mode=auto_edit');
    expect(modeOf({ sandbox: 'docker' })).toBe('--approval-mode=auto_edit');
  });

  it('reach an older CLI as flags', () => {
    const args = build(rules, '0.29.0', { policyFile: '/run/policy.toml' });
    expect(args.join(' ')).not.toContain('--policy');
    expect(args.slice(2)).toEqual([
      '--allowed-tools=write_file',
      '--allowed-tools=run_shell_command(npm test)',
    ]);
  });
});

describe('a CLI that is too old', () => {
  it('is started with an output format that it knows', () => {
    expect(build({}, '0.10.0')[0]).toBe('--output-format=json');
  });

  it.each([
    ['deniedTools', { deniedTools: ['write_file'] }, '0.33.0', '0.34.0'],
    ['resume', { resume: 'latest' }, '0.15.0', '0.15.3'],
    ['sessionId', { sessionId: 'mine' }, '0.40.0', '0.41.0'],
    ['approvalMode "plan"', { approvalMode: 'plan' }, '0.32.0', '0.33.0'],
  ])('is refused if %s is set', (option, values, version, first) => {
    let thrown: unknown;
    try {
      build(values, version);
    } catch (error) {
      thrown = error;
    }
    expect(ProviderError.isInstance(thrown)).toBe(true);
    expect(thrown).toMatchObject({
      code: 'CLI_NOT_FOUND',
      message: expect.stringContaining(option),
      hint: expect.stringContaining(first),
    });
    expect(build(values, first)).not.toEqual([]);
  });
});
