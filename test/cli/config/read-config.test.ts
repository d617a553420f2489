import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/cli/config/read-config.js';
import { normaliseKeys, resolveConfig } from '../../../src/config/resolve-config.js';
import { parseFlags } from '../../fixtures/cli/parse-flags.js';
import { failureOf, makeFolder } from '../../fixtures/cli/support.js';

/** No config file and no variable but those of the test. */
const ALONE = { env: { HOME: '/nowhere' }, start: '/' };
const parse = (...args: string[]) => readConfig(parseFlags(...args), ALONE);
const file = (text: string) => join(makeFolder({ 'config.yaml': text }), 'config.yaml');

describe('flags', () => {
  it.each<[string[], Record<string, unknown>]>([
    [[], {}],
    [['-m', 'flash'], { model: 'flash' }],
    [['--approval-mode=plan'], { approvalMode: 'plan' }],
    [
      ['--include-directories', 'a', '--include-directories', 'b'],
      { includeDirectories: ['a', 'b'] },
    ],
    [
      ['--allowed-tools', 'write_file', '--allowed-tools', 'run_shell_command(npm test)'],
      { allowedTools: ['write_file', 'run_shell_command(npm test)'] },
    ],
    [['--denied-tools', 'a'], { deniedTools: ['a'] }],
    [
      ['--protected-paths', 'conf/**', '--protected-paths', '!.env'],
      { protectedPaths: ['conf/**', '!.env'] },
    ],
    [['--no-protected-paths'], { protectedPaths: false }],
    [['--timeout', '1.5', '--idle-timeout', '2'], { timeout: 1.5, idleTimeout: 2 }],
    [['--sandbox', 'true'], { sandbox: true }],
    [['--sandbox', 'podman'], { sandbox: 'podman' }],
    [['--keep-artifacts', 'false'], { keepArtifacts: false }],
    [['-C', 'x'], { workingDir: 'x' }],
    [['--working-dir', 'x'], { workingDir: 'x' }],
    [
      ['--expand-at', '--trust-workspace', '--inherit-env'],
      { expandAt: true, trustWorkspace: true, inheritEnv: true },
    ],
    [['--no-trust-workspace'], { trustWorkspace: false }],
    [['--secret', 'A', '--secrets', 'B'], { secrets: ['A', 'B'] }],
    [['--system-prompt-file', '/f'], { systemPrompt: { mode: 'prepend', file: '/f' } }],
    [['--env', 'A=1=2', '--env', 'B', '--env', 'C='], { env: { A: '1=2', B: true, C: '' } }],
    [['--extra-args=--debug', '--extra-args=-x'], { extraArgs: ['--debug', '-x'] }],
    [['--system-prompt', 'x'], { systemPrompt: { mode: 'prepend', text: 'x' } }],
    [
      ['--system-prompt-file', 'f', '--system-prompt-mode', 'replace'],
      { systemPrompt: { mode: 'replace', file: resolve('f') } },
    ],
    [['--resume', '3'], { resume: '3' }],
    [['--transport', 'acp', '--unattended', 'fail'], { transport: 'acp', unattended: 'fail' }],
    [
      [
        '--transport',
        'acp',
        '--permission-timeout',
        '5',
        '--client-files',
        '--no-client-terminals',
      ],
      { transport: 'acp', permissionTimeout: 5, clientFiles: true, clientTerminals: false },
    ],
  ])('%j become a configuration', async (args, config) => {
    expect(await parse(...args)).toEqual(config);
    expect(() => resolveConfig(config)).not.toThrow();
  });

  it('can turn on the log', async () => {
    const { logger } = resolveConfig(await parse('--log-level', 'warn'));
    expect(logger).toMatchObject({ warn: expect.any(Function), level: 'warn' });
  });
});

describe('a configuration file', () => {
  it('can contain keys that have no flag', async () => {
    const yaml =
      'transport: acp\npool: { maxProcesses: 2 }\nmcp_servers: [{ name: docs, command: docs-server }]\n';
    const { values } = normaliseKeys(await parse('--config', file(yaml)));
    expect(values).toEqual({
      transport: 'acp',
      pool: { maxProcesses: 2 },
      mcpServers: [{ name: 'docs', command: 'docs-server' }],
    });
    expect(() => resolveConfig(values)).not.toThrow();
  });

  it('may use either spelling of a key', async () => {
    const yaml = 'model: flash\nallowed_tools:\n  - write_file\nsandbox: null\n';
    const { values, unknownKeys } = normaliseKeys(await parse('--config', file(yaml)));
    expect(values).toEqual({ model: 'flash', allowedTools: ['write_file'] });
    expect(unknownKeys).toEqual([]);
  });

  it('is overridden by a flag', async () => {
    const path = file('model: one\ntimeout: 5\nworkingDir: a\nsystemPrompt: old\n');
    expect(await parse('-c', path, '-m', 'two', '-C', 'b', '--system-prompt', 'new')).toEqual({
      model: 'two',
      timeout: 5,
      workingDir: 'b',
      systemPrompt: { mode: 'prepend', text: 'new' },
    });
  });
});

describe('a flag and the same key in the file', () => {
  it.each(['approval_mode', 'approvalMode'])(
    'give the value of the flag if the file has %s',
    async (key) => {
      expect(await parse('-c', file(`${key}: plan`), '--approval-mode', 'yolo')).toEqual({
        approvalMode: 'yolo',
      });
    },
  );

  it('give the value of a --no flag', async () => {
    expect(await parse('-c', file('trust_workspace: true'), '--no-trust-workspace')).toEqual({
      trustWorkspace: false,
    });
  });

  it('give the value of the flag for the working directory', async () => {
    expect(await parse('-c', file('working_dir: /a'), '--cwd', '/b')).toEqual({ workingDir: '/b' });
  });
});

describe('the mode of a system prompt, given alone', () => {
  it.each([
    ['system_prompt: be brief', { mode: 'replace', text: 'be brief' }],
    ['systemPrompt: {mode: prepend, file: s.md}', { mode: 'replace', file: 's.md' }],
  ])('applies to the prompt of the file: %j', async (text, systemPrompt) => {
    const args = ['-c', file(text), '--system-prompt-mode', 'replace'];
    expect(await parse(...args)).toEqual({ systemPrompt });
  });

  it('is refused without a system prompt', async () => {
    expect(await failureOf(() => parse('--system-prompt-mode', 'replace'))).toMatchObject({
      code: 'INVALID_CONFIG',
      problems: [{ key: 'systemPromptMode', value: 'replace' }],
    });
  });
});

describe('the text of a configuration file', () => {
  it.each([
    ['a: [1', 'line 1 is not YAML'],
    ['model: a\nmodel: b\n', 'line 2 model is given more than once'],
    ['- a\n- b\n', 'must be a mapping of keys to values'],
    ['just text', 'must be a mapping of keys to values'],
  ])('%j is refused', async (text, message) => {
    const path = file(text);
    expect(await failureOf(() => parse('-c', path))).toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining(message),
      problems: [{ key: 'config', value: path }],
    });
  });

  it.each(['', '# nothing\n'])('may be empty: %j', async (text) => {
    expect(await parse('-c', file(text))).toEqual({});
  });

  it('must be there', async () => {
    expect(await failureOf(() => parse('-c', '/no/such/file.yaml'))).toMatchObject({
      code: 'INVALID_CONFIG',
      message: 'Invalid configuration: config = "/no/such/file.yaml": does not exist',
    });
  });
});

describe('a wrong value of a configuration file', () => {
  it('is reported with its line, as it was written', async () => {
    const path = file('model: flash\n\ntimeout: soon\napproval_mode: YOLO\n');
    expect(await failureOf(() => parse('-c', path))).toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining(`${path}:3 timeout = "soon"`),
      problems: [
        { key: 'approval_mode', file: path, line: 4 },
        { key: 'timeout', value: 'soon', file: path, line: 3 },
      ],
    });
  });

  it('does not count if a flag has another value', async () => {
    const config = await parse('-c', file('timeout: soon\n'), '--timeout', '5m');
    expect(config).toEqual({ timeout: '5m' });
  });

  it('is an unknown key: a warning, or an error with strict', async () => {
    const path = file('model: flash\nmodle: pro\n');
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    const config = await readConfig(parseFlags('-c', path), { ...ALONE, say });
    expect(config).toEqual({ model: 'flash' });
    expect(said).toEqual([
      `Warning: ${path}:2 "modle" is an unknown key and ignored. Did you mean "model"?`,
    ]);
    expect(await failureOf(() => parse('-c', path, '--strict'))).toMatchObject({
      problems: [{ key: 'modle', file: path, line: 2 }],
    });
  });
});

describe('a configuration without --config', () => {
  const layers = (project: string, user: string, env: Record<string, string> = {}) => {
    const start = makeFolder({ 'gemini-cli-provider.yaml': project });
    const home = makeFolder({ '.config/gemini-cli-provider.yaml': user });
    return { start, env: { HOME: home, ...env } };
  };

  it('is that of flags, variables, the project and the user, in this order', async () => {
    const options = layers('timeout: 2\nidleTimeout: 2\nrepair: 2', 'timeout: 1\nmodel: user', {
      GEMINI_CLI_PROVIDER_IDLE_TIMEOUT: '3',
      GEMINI_CLI_PROVIDER_REPAIR: '3',
    });
    const files: string[] = [];
    const announce = (line: string) => void files.push(line);
    const flags = parseFlags('--repair', '4');
    expect(await readConfig(flags, { ...options, announce })).toEqual({
      model: 'user',
      timeout: 2,
      idleTimeout: 3,
      repair: 4,
    });
    expect(files).toEqual([
      `Configuration: ${options.env.HOME}/.config/gemini-cli-provider.yaml`,
      `Configuration: ${options.start}/gemini-cli-provider.yaml`,
    ]);
  });

  it('has no file with --no-config, and variables still count', async () => {
    const options = layers('timeout: 2', 'timeout: 1', { GEMINI_CLI_PROVIDER_MODEL: 'pro' });
    expect(await readConfig(parseFlags('--no-config'), options)).toEqual({ model: 'pro' });
  });

  it('is that of the file of a variable alone', async () => {
    const path = file('model: named');
    const options = layers('timeout: 2', 'timeout: 1', { GEMINI_CLI_PROVIDER_CONFIG: path });
    expect(await readConfig(parseFlags(), options)).toEqual({ model: 'named' });
  });

  it('may not raise rights by a file of a folder that is not trusted', async () => {
    const options = layers('model: pro\napprovalMode: yolo\ntrustWorkspace: true\n', '');
    const path = `${options.start}/gemini-cli-provider.yaml`;
    expect(await failureOf(() => readConfig(parseFlags(), options))).toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining('in a folder that is not trusted'),
      hint: expect.stringContaining('--trust-workspace'),
      problems: [
        { key: 'approvalMode', value: 'yolo', file: path, line: 2 },
        { key: 'trustWorkspace', value: true, file: path, line: 3 },
      ],
    });
    const trusted = parseFlags('--trust-workspace');
    expect(await readConfig(trusted, options)).toMatchObject({ approvalMode: 'yolo' });
    expect(await readConfig(parseFlags('-c', path), options)).toMatchObject({
      approvalMode: 'yolo',
    });
  });

  it('has a value of a variable that cannot be used: the variable is named', async () => {
    const env = { GEMINI_CLI_PROVIDER_APPROVAL_MODE: 'YOLO' };
    expect(await failureOf(() => readConfig(parseFlags(), { ...ALONE, env }))).toMatchObject({
      problems: [{ key: 'GEMINI_CLI_PROVIDER_APPROVAL_MODE', value: 'YOLO' }],
    });
  });
});

describe('a config file that is found by itself', () => {
  const read = (start: string) => readConfig(parseFlags(), { ...ALONE, start });

  it('may be a key of package.json; the problems have their line there', async () => {
    const start = makeFolder({
      'package.json':
        '{\n  "name": "x",\n  "gemini-cli-provider": {\n    "timeout": "soon"\n  }\n}\n',
    });
    expect(await failureOf(() => read(start))).toMatchObject({
      problems: [{ key: 'timeout', file: join(start, 'package.json'), line: 4 }],
    });
  });

  it('has paths relative to its project, and may be empty', async () => {
    const start = makeFolder({
      '.config/gemini-cli-provider.yaml': 'working_dir: app\n',
      'app/x': '',
    });
    const trusted = await readConfig(parseFlags('--trust-workspace'), { ...ALONE, start });
    expect(trusted).toEqual({ workingDir: join(start, 'app'), trustWorkspace: true });
    expect(await read(makeFolder({ 'gemini-cli-provider.json': '{}' }))).toEqual({});
    expect(await read(makeFolder({ 'gemini-cli-provider.yaml': '# later\n' }))).toEqual({});
  });

  it.each([
    ['a list', '- a\n', 'must be a mapping of keys to values'],
    ['too long', `# ${'x'.repeat(1024 * 1024)}`, 'has more than 1048576 bytes'],
  ])('is refused if it is %s', async (_what, text, message) => {
    const start = makeFolder({ 'gemini-cli-provider.yaml': text });
    expect(await failureOf(() => read(start))).toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining(message),
      problems: [{ key: 'config', value: join(start, 'gemini-cli-provider.yaml') }],
    });
  });

  it.each([
    ['a folder', '.', 'is a folder'],
    ['behind a file', 'x/config.yaml', 'cannot be read: '],
  ])('is refused if it is named and %s', async (_what, name, message) => {
    const path = join(makeFolder({ x: '' }), name);
    expect(await failureOf(() => parse('-c', path))).toMatchObject({
      message: expect.stringContaining(message),
    });
  });

  it('is refused with a key of another tool, which must not be ignored', async () => {
    const path = file('permission_mode: acceptAll\n');
    expect(await failureOf(() => parse('-c', path))).toMatchObject({
      problems: [{ key: 'permission_mode', file: path, line: 1 }],
    });
  });
});

describe('the file of --prices', () => {
  it('has the prices, and must be a mapping', async () => {
    const prices = file('flash: { input: 1, output: 2 }\n');
    expect(await parse('--prices', prices)).toEqual({ prices: { flash: { input: 1, output: 2 } } });
    expect(await failureOf(() => parse('--prices', file('- 1\n')))).toMatchObject({
      message: expect.stringContaining('must be a mapping of keys to values'),
    });
  });
});
