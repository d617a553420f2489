import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { readFoundFile } from '../../../src/cli/config/config-file.js';
import { findProjectConfig } from '../../../src/cli/config/find-config-file.js';
import { limitRights } from '../../../src/cli/config/found-config-rights.js';
import { CONFIG_KEYS } from '../../../src/config/schema.js';
import { makeFolder } from '../../fixtures/cli/support.js';

async function limit(
  yaml: string,
  more: { ofUser?: Record<string, unknown>; trustWorkspace?: boolean; trusted?: boolean } = {},
  name = 'gemini-cli-provider.yaml',
) {
  const root = makeFolder({ [name]: yaml });
  const rules = more.trusted === true ? { [root]: 'TRUST_FOLDER' } : {};
  const home = makeFolder({ '.gemini/trustedFolders.json': JSON.stringify(rules) });
  const found = findProjectConfig(root);
  if (found === undefined) throw new Error('The file is there');
  const { layer, problems } = limitRights({
    found,
    file: await readFoundFile(found),
    ofUser: more.ofUser ?? {},
    trustWorkspace: more.trustWorkspace,
    env: { HOME: home },
  });
  return { root, values: layer.values, wrong: problems.map(({ key }) => key) };
}

/** A value of each key that gives a step more than it may do without the file. */
const RAISING: Readonly<Record<string, string>> = {
  approvalMode: 'yolo',
  includeDirectories: '[/etc]',
  allowedTools: '[run_shell_command]',
  allowRedirection: 'true',
  protectedPaths: '["!.env"]',
  sandbox: 'evil',
  workingDir: '/',
  expandAt: 'true',
  systemPrompt: '{ mode: replace, file: /etc/passwd }',
  resume: 'latest',
  sessionId: 'x',
  trustWorkspace: 'true',
  env: '{ GOOGLE_GEMINI_BASE_URL: http://evil }',
  inheritEnv: 'true',
  cliPath: './evil',
  extraArgs: '[--yolo]',
  processIsolation: 'off',
  keepArtifacts: '/tmp/x',
  maxCost: '1000',
  prices: '{ pro: { input: 0, output: 0 } }',
  expects: '{ command: ./evil }',
  mcpServers: '[{ name: evil, command: ./evil }]',
  onPermission: 'x',
  clientFiles: 'true',
  clientTerminals: 'true',
  logger: 'x',
};
const HARMLESS: Readonly<Record<string, string>> = {
  model: 'pro',
  approvalMode: 'plan',
  deniedTools: '[write_file]',
  protectedPaths: '[conf/**]',
  timeout: '5',
  idleTimeout: '5',
  startTimeout: '5',
  maxCliAttempts: '1',
  promptDelivery: 'file',
  secrets: '[TOKEN]',
  compileCache: 'false',
  workspaceScan: 'always',
  repair: '1',
  transport: 'acp',
  pool: '{ maxProcesses: 1 }',
  permissionTimeout: '5',
  unattended: 'fail',
  strict: 'true',
  allowRedirection: 'false',
  trustWorkspace: 'false',
};

describe('a config file that was found in a folder', () => {
  it('has a decision for every key', () => {
    const decided = new Set([...Object.keys(RAISING), ...Object.keys(HARMLESS)]);
    expect([...decided].sort()).toEqual([...CONFIG_KEYS].sort());
  });

  it.each(Object.entries(RAISING))('may not set %s: %s without trust', async (key, value) => {
    const { values, wrong } = await limit(`${key}: ${value}`);
    expect(wrong).toEqual([key]);
    expect(values).toEqual({});
  });

  it.each(Object.entries(HARMLESS))('may set %s: %s without trust', async (key, value) => {
    const { values, wrong } = await limit(`${key}: ${value}`);
    expect(wrong).toEqual([]);
    expect(Object.keys(values)).toEqual([key]);
  });

  it.each([{ trustWorkspace: true }, { trusted: true }])(
    'may set everything if the user trusts the folder: %j',
    async (trust) => {
      const { root, values, wrong } = await limit('approvalMode: yolo\nworkingDir: app', trust);
      expect(wrong).toEqual([]);
      expect(values).toEqual({ approvalMode: 'yolo', workingDir: join(root, 'app') });
    },
  );

  it("may not loosen the user's own file", async () => {
    const ofUser = { approvalMode: 'plan', deniedTools: ['a'], secrets: ['B'] };
    const yaml = 'approvalMode: default\ndeniedTools: []\nsecrets: [C]';
    expect(await limit(yaml, { ofUser })).toMatchObject({
      wrong: ['approvalMode'],
      values: { deniedTools: ['a'], secrets: ['B', 'C'] },
    });
  });

  it('is refused if it belongs to another user, unless the folder is trusted', async () => {
    const getuid = vi.spyOn(process, 'getuid').mockReturnValue(4_294_967);
    try {
      const own = process.platform === 'win32' ? [] : ['config'];
      const isRoot = process.geteuid?.() === 0;
      // A file of root is accepted: root can change everything anyway.
      expect((await limit('model: pro')).wrong).toEqual(isRoot ? [] : own);
      expect((await limit('model: pro', { trusted: true })).wrong).toEqual([]);
    } finally {
      getuid.mockRestore();
    }
  });
});

describe('settings in package.json', () => {
  it('never raise rights, because steps may write the file (claim: config-file-protected)', async () => {
    const settings = { model: 'pro', approvalMode: 'yolo', cliPath: './evil' };
    const manifest = JSON.stringify({ 'gemini-cli-provider': settings });
    const limited = await limit(manifest, { trustWorkspace: true, trusted: true }, 'package.json');
    expect(limited).toMatchObject({ values: { model: 'pro' }, wrong: ['approvalMode', 'cliPath'] });
  });
});
