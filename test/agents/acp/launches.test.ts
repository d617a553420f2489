import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAgentLaunch } from '../../../src/agents/acp/agent-launch.js';
import {
  createGeminiLaunch,
  type GeminiLaunchRequest,
} from '../../../src/agents/acp/gemini-launch.js';
import type { Launch } from '../../../src/agents/acp/launch.js';
import { createPrivateDirectory } from '../../../src/base/process/private-directory.js';
import { PROCESS_TAG_VARIABLE } from '../../../src/base/process/process-tree.js';
import { resolveConfig } from '../../../src/config/resolve-config.js';

const GEMINI: GeminiLaunchRequest = {
  cli: {
    path: '/bin/gemini',
    foundIn: 'cliPath',
    script: '/bin/gemini',
    command: 'node',
    args: ['/bin/gemini'],
  },
  cliVersion: '0.61.0',
  config: configure({}),
  includeDirectories: [],
  workingDir: '/work',
  env: { HOME: '/home/user', LANG: 'C', [PROCESS_TAG_VARIABLE]: 'one' },
  systemPrompt: undefined,
};

function configure(values: object) {
  return resolveConfig({ transport: 'acp', ...values });
}

function reversed(env: GeminiLaunchRequest['env']) {
  return Object.fromEntries(Object.entries(env).reverse());
}

function gemini(more: Partial<GeminiLaunchRequest> = {}): Launch {
  return createGeminiLaunch({ ...GEMINI, ...more });
}

async function build(launch: Launch) {
  const directory = await createPrivateDirectory();
  onTestFinished(() => directory.remove());
  return { directory, ...(await launch.build(directory, 'process-1')) };
}

describe('two steps with the Gemini CLI share a process', () => {
  it.each<[string, Partial<GeminiLaunchRequest>]>([
    ['the same settings', {}],
    ['another working directory', { workingDir: '/elsewhere' }],
    ['another process tag', { env: { ...GEMINI.env, [PROCESS_TAG_VARIABLE]: 'two' } }],
    ['another order of variables', { env: reversed(GEMINI.env) }],
    ['another mode and model', { config: configure({ approvalMode: 'yolo', model: 'm' }) }],
    ['other limits', { config: configure({ timeout: 5, idleTimeout: 1 }) }],
  ])('with %s', (_what, more) => {
    expect(gemini(more).key).toBe(gemini().key);
  });
});

describe('two steps with the Gemini CLI do not share a process', () => {
  it.each<[string, Partial<GeminiLaunchRequest>]>([
    ['another environment', { env: { ...GEMINI.env, GEMINI_API_KEY: 'x' } }],
    ['a rule that allows', { config: configure({ allowedTools: ['web_fetch'] }) }],
    ['a rule that denies', { config: configure({ deniedTools: ['web_fetch'] }) }],
    ['another folder included', { includeDirectories: ['/more'] }],
    ['a system prompt that reads like none', { systemPrompt: 'undefined' }],
    ['a system prompt', { systemPrompt: 'You are a crow.' }],
    ['a sandbox', { config: configure({ sandbox: true }) }],
    ['more flags', { config: configure({ extraArgs: ['--debug'] }) }],
    ['clientFiles', { config: configure({ clientFiles: true }) }],
    ['clientTerminals', { config: configure({ clientTerminals: true }) }],
    ['another program', { cli: { ...GEMINI.cli, args: ['/other/gemini'] } }],
    ['a version that wants another flag', { cliVersion: '0.32.0' }],
  ])('with %s', (_what, more) => {
    expect(gemini(more).key).not.toBe(gemini().key);
    expect(gemini(more).key).toBe(gemini(more).key);
  });

  it('with a sandbox and different working directories', () => {
    const config = configure({ sandbox: 'docker' });
    expect(gemini({ config }).key).not.toBe(gemini({ config, workingDir: '/elsewhere' }).key);
  });
});

describe('the Gemini CLI', () => {
  it.each([
    ['0.61.0', '--acp'],
    ['0.33.0', '--acp'],
    ['0.34.0-nightly.1', '--acp'],
    [undefined, '--acp'],
    ['0.32.1', '--experimental-acp'],
  ])('of version %s is started with %s', async (cliVersion, flag) => {
    const { args, directory } = await build(gemini({ cliVersion }));
    expect(args).toEqual(['/bin/gemini', flag, `--policy=${directory.file('policy.toml')}`]);
  });

  it('is started in a private folder, with a process tag and a log', async () => {
    const { args, env, cwd, logFile, directory } = await build(gemini());
    expect(args.slice(0, 2)).toEqual(['/bin/gemini', '--acp']);
    expect(cwd).toBe(directory.path);
    expect(logFile).toBe(directory.file('debug.log'));
    expect(env).toEqual({
      HOME: '/home/user',
      LANG: 'C',
      [PROCESS_TAG_VARIABLE]: 'process-1',
      GEMINI_DEBUG_LOG_FILE: logFile,
    });
  });

  it('writes its log to the file of the caller, which the provider does not read', async () => {
    const { env, logFile } = await build(gemini({ env: { GEMINI_DEBUG_LOG_FILE: '/my.log' } }));
    expect(logFile).toBeUndefined();
    expect(env['GEMINI_DEBUG_LOG_FILE']).toBe('/my.log');
  });

  it('gets its rules and its system prompt as files with mode 0600', async () => {
    const config = configure({ allowedTools: ['web_fetch'], deniedTools: ['run_shell_command'] });
    const { args, env, directory } = await build(gemini({ config, systemPrompt: 'Caw.' }));
    const policy = directory.file('policy.toml');
    expect(args).toContain(`--policy=${policy}`);
    expect(readFileSync(policy, 'utf8')).toContain('toolName = "run_shell_command"');
    expect(env['GEMINI_SYSTEM_MD']).toBe(directory.file('system.md'));
    expect(readFileSync(directory.file('system.md'), 'utf8')).toBe('Caw.');
    for (const file of [policy, directory.file('system.md')]) {
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
  });

  it('without support for policies gets the allowed tools as flags', async () => {
    const config = configure({ allowedTools: ['run_shell_command(npm test)'] });
    const { args } = await build(gemini({ config, cliVersion: '0.29.0' }));
    expect(args.slice(1)).toEqual([
      '--experimental-acp',
      '--allowed-tools=run_shell_command(npm test)',
    ]);
  });

  it('gets folders, sandbox and extra flags, and with a sandbox is started in the working directory', async () => {
    const config = configure({ sandbox: true, extraArgs: ['--debug'] });
    const { args, cwd } = await build(gemini({ config, includeDirectories: ['/a', '/b'] }));
    expect(args.slice(1, -1)).toEqual([
      '--acp',
      '--sandbox',
      '--include-directories=/a',
      '--include-directories=/b',
      '--debug',
    ]);
    expect(cwd).toBe('/work');
  });
});

describe('any other agent', () => {
  const AGENT = {
    name: 'Agent',
    command: '/bin/agent',
    args: ['acp'],
    authMethod: undefined,
    workingDir: '/work',
    env: { HOME: '/home/user', LANG: 'C', [PROCESS_TAG_VARIABLE]: 'one' },
    capabilities: { files: false, terminals: false },
  };

  it('is started in the working directory with the command of the caller', async () => {
    const launch = createAgentLaunch(AGENT);
    expect(launch).toMatchObject({ name: 'Agent', command: '/bin/agent' });
    expect(await build(launch)).toMatchObject({
      args: ['acp'],
      cwd: '/work',
      env: { HOME: '/home/user', LANG: 'C', [PROCESS_TAG_VARIABLE]: 'process-1' },
    });
  });

  it.each([
    ['command', { command: '/bin/other' }],
    ['arguments', { args: ['acp', '-v'] }],
    ['login', { authMethod: 'key' }],
    ['folder', { workingDir: '/elsewhere' }],
    ['environment', { env: { HOME: '/home/ann' } }],
    ['capabilities', { capabilities: { files: true, terminals: false } }],
  ])('with another %s needs another process', (_what, more) => {
    const { key } = createAgentLaunch(AGENT);
    expect(createAgentLaunch({ ...AGENT, ...more }).key).not.toBe(key);
    const otherTag = { ...AGENT, env: { ...AGENT.env, [PROCESS_TAG_VARIABLE]: 'two' } };
    expect(createAgentLaunch(otherTag).key).toBe(key);
  });
});
