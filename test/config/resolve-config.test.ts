import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../src/base/errors/provider-error.js';
import { silentLogger } from '../../src/config/logging.js';
import { DEFAULT_PROTECTED_PATHS } from '../../src/config/protected-paths.js';
import { normaliseKeys, resolveConfig } from '../../src/config/resolve-config.js';

function errorOf(act: () => unknown): ProviderError {
  try {
    act();
  } catch (error) {
    if (ProviderError.isInstance(error)) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('resolveConfig', () => {
  it('fills in every default for an empty configuration', () => {
    expect(resolveConfig({})).toEqual({
      model: undefined,
      approvalMode: 'auto_edit',
      includeDirectories: [],
      allowedTools: [],
      deniedTools: [],
      protectedPaths: { defaults: [...DEFAULT_PROTECTED_PATHS], added: [], exempt: [] },
      sandbox: false,
      workingDir: undefined,
      timeoutMs: 600_000,
      idleTimeoutMs: undefined,
      startTimeoutMs: 60_000,
      maxCliAttempts: undefined,
      promptDelivery: 'auto',
      expandAt: false,
      systemPrompt: undefined,
      resume: undefined,
      sessionId: undefined,
      trustWorkspace: false,
      env: {},
      inheritEnv: false,
      secrets: [],
      cliPath: undefined,
      extraArgs: [],
      compileCache: true,
      processIsolation: 'auto',
      workspaceScan: 'auto',
      keepArtifacts: false,
      expects: undefined,
      repair: 0,
      transport: 'headless',
      pool: {},
      mcpServers: [],
      onPermission: undefined,
      permissionTimeoutMs: 60_000,
      unattended: 'reject',
      clientFiles: false,
      clientTerminals: false,
      logger: silentLogger,
    });
  });

  const shellRule = { tool: 'run_shell_command', commandPrefix: 'npm test' };
  it.each([
    ['model', 'gemini-2.5-pro', { model: 'gemini-2.5-pro' }],
    ['approvalMode', 'default', { approvalMode: 'default' }],
    ['approvalMode', 'yolo', { approvalMode: 'yolo' }],
    ['approvalMode', 'plan', { approvalMode: 'plan' }],
    ['includeDirectories', ['../lib', '/a b'], { includeDirectories: ['../lib', '/a b'] }],
    ['allowedTools', ['run_shell_command(npm test)'], { allowedTools: [shellRule] }],
    ['deniedTools', ['run_shell_command(npm test)'], { deniedTools: [shellRule] }],
    ['sandbox', true, { sandbox: true }],
    ['sandbox', 'podman', { sandbox: 'podman' }],
    ['workingDir', '/tmp', { workingDir: '/tmp' }],
    ['timeout', 1.5, { timeoutMs: 1_500 }],
    ['idleTimeout', 30, { idleTimeoutMs: 30_000 }],
    ['startTimeout', 5, { startTimeoutMs: 5_000 }],
    ['maxCliAttempts', 2, { maxCliAttempts: 2 }],
    ['promptDelivery', 'stdin', { promptDelivery: 'stdin' }],
    ['promptDelivery', 'file', { promptDelivery: 'file' }],
    ['expandAt', true, { expandAt: true }],
    ['systemPrompt', 'Be brief.', { systemPrompt: { mode: 'prepend', text: 'Be brief.' } }],
    [
      'systemPrompt',
      { mode: 'replace', file: '/s.md' },
      { systemPrompt: { mode: 'replace', file: '/s.md' } },
    ],
    ['resume', 'latest', { resume: 'latest' }],
    ['resume', 3, { resume: '3' }],
    ['sessionId', 'step-1_a', { sessionId: 'step-1_a' }],
    ['trustWorkspace', true, { trustWorkspace: true }],
    ['env', { A: 'b', HTTPS_PROXY: true }, { env: { A: 'b', HTTPS_PROXY: true } }],
    ['inheritEnv', true, { inheritEnv: true }],
    ['secrets', ['SHORT_PIN'], { secrets: ['SHORT_PIN'] }],
    ['compileCache', false, { compileCache: false }],
    ['processIsolation', 'off', { processIsolation: 'off' }],
    ['cliPath', '/opt/gemini', { cliPath: '/opt/gemini' }],
    ['extraArgs', ['-e', 'none'], { extraArgs: ['-e', 'none'] }],
    ['workspaceScan', 'always', { workspaceScan: 'always' }],
    ['workspaceScan', 'off', { workspaceScan: 'off' }],
    ['keepArtifacts', './kept', { keepArtifacts: './kept' }],
  ])('accepts %s = %j', (key, value, resolved) => {
    expect(resolveConfig({ [key]: value })).toMatchObject(resolved);
  });

  it('keeps the given logger', () => {
    const log = () => {};
    const logger = { debug: log, info: log, warn: log, error: log, child: log };
    expect(resolveConfig({ logger }).logger).toBe(logger);
  });
});

describe('maxCost', () => {
  it('refuses a model without a price and names `prices`', () => {
    const problem = { key: 'model', value: 'mine', problem: expect.stringContaining('prices') };
    const call = () => resolveConfig({ model: 'mine', maxCost: 1 });
    expect(call).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG', problems: [problem] }));
  });

  it.each([undefined, 'auto', 'flash', 'gemini-2.5-flash', 'priced'])(
    'takes the model %s',
    (model) => {
      const prices = { priced: { input: 1, output: 1 } };
      expect(resolveConfig({ model, maxCost: 1, prices })).toMatchObject({ maxCost: 1, prices });
    },
  );

  it('does not concern a step without a limit', () => {
    expect(resolveConfig({ model: 'mine' }).maxCost).toBeUndefined();
  });
});

describe('a wrong value', () => {
  it.each([
    ['model', '', 'model', /empty/],
    ['model', 5, 'model', /must be a text/],
    [
      'approvalMode',
      'auto-edit',
      'approvalMode',
      /"default", "auto_edit", "yolo" or "plan"\. Did you mean "auto_edit"/,
    ],
    ['includeDirectories', 5, 'includeDirectories', /a text, or a list of folders/],
    ['includeDirectories', ['ok', 'a,b'], 'includeDirectories.1', /comma: the CLI splits/],
    ['allowedTools', {}, 'allowedTools', /a text, or a list of rules/],
    ['allowedTools', ['write_file(x)'], 'allowedTools.0', /only run_shell_command/],
    ['deniedTools', ['two words'], 'deniedTools.0', /name of a tool/],
    ['sandbox', '', 'sandbox', /empty/],
    ['sandbox', 1, 'sandbox', /true, false or the name of a command/],
    ['workingDir', '', 'workingDir', /empty/],
    ['timeout', 0, 'timeout', /number of seconds above 0, or a duration such as "90s"/],
    ['idleTimeout', -1, 'idleTimeout', /above 0/],
    ['idleTimeout', '5 min', 'idleTimeout', /a duration such as/],
    ['timeout', 600_000, 'timeout', /means 6d22h40m: write "10m" for 600000 milliseconds/],
    ['startTimeout', 1e9, 'startTimeout', /at most 2147483/],
    ['maxCost', 0, 'maxCost', /number of US dollars above 0/],
    ['maxCost', '5', 'maxCost', /number of US dollars above 0/],
    ['prices', { m: { input: -1, output: 1 } }, 'prices.m.input', /US dollars per million tokens/],
    ['prices', { m: { input: 1, output: 1, from: '2027-13-01' } }, 'prices.m.from', /a day such/],
    ['prices', { m: [] }, 'prices.m', /empty/],
    ['maxCliAttempts', 0, 'maxCliAttempts', /whole number, 1 or more/],
    ['maxCliAttempts', 1.5, 'maxCliAttempts', /whole number, 1 or more/],
    ['promptDelivery', 'argument', 'promptDelivery', /"auto", "stdin" or "file"/],
    ['expandAt', 'yes', 'expandAt', /true or false/],
    ['systemPrompt', { mode: 'append', text: 'x' }, 'systemPrompt.mode', /"replace" or "prepend"/],
    ['systemPrompt', { text: 'x' }, 'systemPrompt.mode', /"replace" or "prepend"/],
    ['systemPrompt', { mode: 'replace', text: 'x', file: 'y' }, 'systemPrompt', /{ mode, file }/],
    ['resume', true, 'resume', /session id/],
    ['sessionId', 'a b', 'sessionId', /letters, digits/],
    ['sessionId', '', 'sessionId', /letters, digits/],
    ['trustWorkspace', 'true', 'trustWorkspace', /true or false/],
    ['env', 'A=b', 'env', /map names to a string/],
    ['env', { 'A=B': 'c' }, 'env.A=B', /invalid variable name/],
    ['inheritEnv', 1, 'inheritEnv', /true or false/],
    ['secrets', ['PIN=1234'], 'secrets.0', /name of a variable/],
    ['cliPath', '', 'cliPath', /empty/],
    ['extraArgs', ['--yolo'], 'extraArgs', /must not contain --yolo/],
    ['workspaceScan', 'never', 'workspaceScan', /"auto", "always" or "off"/],
    ['keepArtifacts', 7, 'keepArtifacts', /true, false or a folder/],
    ['logger', {}, 'logger', /methods debug, info, warn and error/],
  ])('of %s = %j is reported with the allowed values', (key, value, where, allowed) => {
    const error = errorOf(() => resolveConfig({ [key]: value }));
    expect(error).toMatchObject({ code: 'INVALID_CONFIG', retryable: false });
    expect(error.problems).toHaveLength(1);
    expect(error.problems?.[0]?.key).toBe(where);
    expect(error.problems?.[0]?.problem).toMatch(allowed);
    expect(error.message).toContain(`${where} = `);
  });

  it('is reported together with all others', () => {
    const error = errorOf(() =>
      resolveConfig({
        model: '',
        timeout: -5,
        includeDirectories: ['a,b', 'c,d'],
        resume: 'latest',
        sessionId: 'mine',
      }),
    );
    expect(error.problems?.map(({ key, value }) => [key, value])).toEqual([
      ['model', ''],
      ['includeDirectories.0', 'a,b'],
      ['includeDirectories.1', 'c,d'],
      ['timeout', -5],
      ['sessionId', 'mine'],
    ]);
    expect(error.message).toContain('timeout = -5: ');
    expect(error.hint).toBe(
      'Correct model, includeDirectories.0, includeDirectories.1, timeout, sessionId. Examples: model: "gemini-2.5-flash"; includeDirectories: ["../shared"]; timeout: "10m".',
    );
  });

  it('is shortened in the message if it is long', () => {
    const error = errorOf(() => resolveConfig({ sessionId: `${'x'.repeat(500)}!` }));
    expect(error.message.length).toBeLessThan(250);
    expect(error.message).toContain('xxx…');
  });
});

describe('a resumed session', () => {
  it('cannot get another id', () => {
    const error = errorOf(() => resolveConfig({ resume: 'latest', sessionId: 'mine' }));
    expect(error.problems).toMatchObject([
      { key: 'sessionId', value: 'mine', problem: expect.stringContaining('resume') },
    ]);
  });
});

describe('the keys of a configuration', () => {
  it('are accepted in both spellings', () => {
    const { values, unknownKeys } = normaliseKeys({ approval_mode: 'yolo', workingDir: '/tmp' });
    expect(values).toEqual({ approvalMode: 'yolo', workingDir: '/tmp' });
    expect(unknownKeys).toEqual([]);
  });

  it('are refused if one is given in both spellings', () => {
    const { values, problems } = normaliseKeys({
      working_dir: '/a',
      workingDir: '/b',
      timeout: -1,
    });
    const error = errorOf(() => resolveConfig(values, problems));
    expect(error.code).toBe('INVALID_CONFIG');
    expect(error.problems).toMatchObject([
      { key: 'workingDir', value: '/b', problem: 'is given in both spellings' },
      { key: 'timeout', value: -1 },
    ]);
  });

  it('count as not set if their value is null', () => {
    const input = { model: null, working_dir: null, workingDir: '/b', timeout: undefined };
    expect(normaliseKeys(input)).toMatchObject({
      values: { workingDir: '/b' },
      unknownKeys: [],
      problems: [],
    });
  });

  it('are listed separately if they are unknown', () => {
    const { values, unknownKeys } = normaliseKeys({ modle: 'x', model: 'y', temperature: 1 });
    expect(values).toEqual({ model: 'y' });
    expect(unknownKeys).toEqual(['modle', 'temperature']);
  });

  it('keep values that are false, zero or empty', () => {
    const values = { expandAt: false, timeout: 0, model: '' };
    expect(normaliseKeys(values).values).toEqual(values);
  });
});

describe('allowRedirection', () => {
  it('names rules of allowedTools only', () => {
    const allowedTools = ['run_shell_command(npm test)', 'write_file'];
    const config = resolveConfig({ allowedTools, allowRedirection: ['ShellTool(npm test)'] });
    expect(config.allowedTools.map((rule) => rule.allowsRedirection)).toEqual([true, undefined]);
    for (const allowRedirection of [['run_shell_command(npm)'], ['write_file']]) {
      const { problems } = errorOf(() => resolveConfig({ allowedTools, allowRedirection }));
      expect(problems).toEqual([
        {
          key: 'allowRedirection',
          value: allowRedirection[0],
          problem: 'is not a shell rule of allowedTools',
        },
      ]);
    }
  });
});

describe('protectedPaths', () => {
  it.each([[true], ['.env'], [['']], [['!']], [[1]]])('cannot be %j', (protectedPaths) => {
    expect(errorOf(() => resolveConfig({ protectedPaths })).code).toBe('INVALID_CONFIG');
  });
});
