import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { getCapabilities } from '../../../src/agents/gemini/get-capabilities.js';
import { failureOf, makeFolder } from '../../fixtures/cli/support.js';

/** Clears the environment of the user who runs the tests. */
beforeEach(() => {
  const before = process.cwd();
  for (const name of Object.keys(process.env)) {
    if (/^(GEMINI|GOOGLE)_/.test(name)) vi.stubEnv(name, undefined);
  }
  const folder = makeFolder();
  vi.stubEnv('HOME', folder);
  vi.stubEnv('PATH', '');
  process.chdir(folder);
  onTestFinished(() => {
    process.chdir(before);
    vi.unstubAllEnvs();
  });
});

/** Creates a program that only prints a version. */
function makeCli(version: string): string {
  return join(makeFolder({ 'gemini*': `#!/bin/sh\necho ${version}\n` }), 'gemini');
}

describe('the capabilities of the CLI', () => {
  it('are those of the newest version if none is installed', async () => {
    const capabilities = await getCapabilities();
    expect(capabilities).toMatchObject({
      tool: 'gemini',
      cliPath: undefined,
      cliVersion: undefined,
      supportsSlashCommands: false,
      supportsModels: true,
      modelsFrom: 'known',
      supportsWebSearch: true,
      supportsThinking: true,
      supportsPlanMode: true,
      supportsPermissionModes: true,
      permissionModes: ['default', 'auto_edit', 'yolo', 'plan'],
      permissionModeType: 'toggle',
      supportsInterrupt: true,
      supportsResume: true,
      supportsAttach: false,
      supportsStatusLine: false,
      supportsImages: true,
      supportsStreaming: true,
      supportsAcp: true,
      supportsPolicies: true,
      supportsSessionId: true,
      effortLevels: [],
    });
    expect(capabilities.maxContextWindow).toBeGreaterThanOrEqual(1_000_000);
    expect(capabilities.models).toEqual(
      expect.arrayContaining([
        { id: 'auto', name: 'Auto' },
        { id: 'gemini-2.5-pro', name: 'Gemini 2.5 Pro' },
        { id: 'gemini-2.5-flash', name: 'Gemini 2.5 Flash' },
      ]),
    );
  });

  it.each([
    ['0.61.0', { supportsPlanMode: true, supportsSessionId: true, supportsPolicies: true }],
    ['0.34.0', { supportsPlanMode: true, supportsSessionId: false, supportsPolicies: true }],
    ['0.20.0', { supportsPlanMode: false, supportsResume: true, supportsPolicies: false }],
    ['0.10.0', { supportsStreaming: false, supportsResume: false }],
  ])('depend on its version: %s', async (version, expected) => {
    const cliPath = makeCli(version);
    const capabilities = await getCapabilities({ cliPath });
    expect(capabilities).toMatchObject({ cliPath, cliVersion: version, ...expected });
    expect(capabilities.permissionModes.includes('plan')).toBe(capabilities.supportsPlanMode);
  });

  it('are those of the CLI on PATH, or of the CLI in GEMINI_CLI_PATH', async () => {
    const [first, second] = [makeCli('0.61.0'), makeCli('0.20.0')];
    vi.stubEnv('PATH', `${join(first, '..')}:/usr/bin:/bin`);
    expect(await getCapabilities()).toMatchObject({ cliPath: first, cliVersion: '0.61.0' });
    vi.stubEnv('GEMINI_CLI_PATH', second);
    expect(await getCapabilities()).toMatchObject({ cliPath: second, cliVersion: '0.20.0' });
  });
});

describe('the compile cache', () => {
  const makeScript = () =>
    join(makeFolder({ 'gemini.mjs': "console.log('0.61.0');\n" }), 'gemini.mjs');

  it('is not created by a question that starts no session', async () => {
    vi.stubEnv('XDG_CACHE_HOME', makeFolder());
    await getCapabilities({ cliPath: makeScript() });
    const home = process.env['HOME'] ?? '';
    expect([...readdirSync(home), ...readdirSync(process.env['XDG_CACHE_HOME'] ?? '')]).toEqual([]);
  });
});

describe('a CLI that cannot be used', () => {
  it.each([{}, { ask: true }])('is an error if it is too old: %j', async (options) => {
    const cliPath = makeCli('0.5.0');
    const asked = () => getCapabilities({ cliPath, ...options });
    const expected = { code: 'CLI_NOT_FOUND', message: expect.stringContaining('too old') };
    expect(await failureOf(asked)).toMatchObject(expected);
    vi.stubEnv('PATH', `${join(cliPath, '..')}:/usr/bin:/bin`);
    expect(await failureOf(() => getCapabilities(options))).toMatchObject(expected);
  });

  it('is an error if cliPath or GEMINI_CLI_PATH is wrong', async () => {
    const expected = {
      code: 'CLI_NOT_FOUND',
      message: expect.stringContaining('/nowhere/gemini: does not exist'),
    };
    const named = () => getCapabilities({ cliPath: '/nowhere/gemini' });
    expect(await failureOf(named)).toMatchObject(expected);
    vi.stubEnv('GEMINI_CLI_PATH', '/nowhere/gemini');
    expect(await failureOf(() => getCapabilities())).toMatchObject(expected);
  });

  it('is an error if it is missing and `ask` is set', async () => {
    expect(await failureOf(() => getCapabilities({ ask: true }))).toMatchObject({
      code: 'CLI_NOT_FOUND',
      message: expect.stringContaining('No gemini executable'),
    });
  });

  it('is an error if it does not answer with `ask`', async () => {
    const cliPath = makeCli('0.61.0');
    expect(await failureOf(() => getCapabilities({ cliPath, ask: true }))).toMatchObject({
      code: 'PROTOCOL',
      message: expect.stringMatching(/^The CLI did not report its models and modes: /),
      hint: expect.stringContaining('leave out `ask`'),
    });
  });
});
