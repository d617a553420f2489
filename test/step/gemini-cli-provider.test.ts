import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CONFIG_KEYS } from '../../src/config/schema.js';
import { GeminiCliProvider } from '../../src/step/gemini-cli-provider.js';
import { addFiles, failureOf, makeFolder } from '../fixtures/cli/support.js';

/** Creates a real provider with a CLI that only writes a file to show that it was started. */
function open(config: object = {}) {
  const [workingDir, home] = [makeFolder(), makeFolder()];
  const noted = join(home, 'noted');
  const script = `#!/bin/sh\n[ "$1" = --version ] && echo 0.61.0 && exit\necho "$@" > ${noted}\nexit 41\n`;
  const cliPath = join(makeFolder({ 'gemini*': script }), 'gemini');
  const env = { GEMINI_CLI_HOME: home };
  const given = { cliPath, workingDir, env, transport: 'acp' as const, ...config };
  const provider = new GeminiCliProvider(given);
  onTestFinished(() => provider.dispose());
  const fail = () => failureOf(() => provider.generate('go'));
  return { fail, workingDir, home, argsOf: () => readFileSync(noted, 'utf8').trim() };
}

describe('over ACP, a workspace that is not trusted', () => {
  it('is refused by the provider, because the CLI would accept it', async () => {
    const { fail, workingDir, argsOf } = open();
    expect(await fail()).toMatchObject({
      code: 'UNTRUSTED_WORKSPACE',
      message: `${workingDir} is not trusted`,
      hint: expect.stringContaining('trustWorkspace'),
    });
    expect(argsOf).toThrow('ENOENT');
  });

  it('is accepted with trustWorkspace, for this step', async () => {
    const { fail, argsOf } = open({ trustWorkspace: true });
    expect(await fail()).toMatchObject({ code: 'AUTH', exitCode: 41 });
    expect(argsOf()).toMatch(/^--acp --policy=/);
  });

  it('is accepted if the trusted folders of the CLI contain it', async () => {
    const { fail, home, workingDir } = open();
    const rules = JSON.stringify({ [workingDir]: 'TRUST_FOLDER' });
    addFiles(home, { '.gemini/trustedFolders.json': rules });
    expect(await fail()).toMatchObject({ code: 'AUTH' });
  });
});

describe('the compile cache', () => {
  /** Creates a provider with a CLI that this Node runs, and with an empty cache directory. */
  function openCached() {
    const [workingDir, home, cache] = [makeFolder(), makeFolder(), makeFolder()];
    vi.stubEnv('HOME', home);
    vi.stubEnv('XDG_CACHE_HOME', cache);
    onTestFinished(() => void vi.unstubAllEnvs());
    const script = "console.log('0.61.0');\n";
    const cliPath = join(makeFolder({ 'gemini.mjs': script }), 'gemini.mjs');
    const provider = new GeminiCliProvider({ cliPath, workingDir, transport: 'acp' });
    onTestFinished(() => provider.dispose());
    const written = () => [...readdirSync(home), ...readdirSync(cache)];
    return { provider, written };
  }

  it('is not created by validate()', async () => {
    const { provider, written } = openCached();
    expect(await provider.validate()).toMatchObject({ cliVersion: '0.61.0' });
    expect(written()).toEqual([]);
  });

  it('is not created by a step that is refused before the CLI starts', async () => {
    const { provider, written } = openCached();
    const error = await failureOf(() => provider.generate('go'));
    expect(error).toMatchObject({ code: 'UNTRUSTED_WORKSPACE' });
    expect(written()).toEqual([]);
  });
});

describe('the metadata', () => {
  it('has name, description and configuration keys', () => {
    expect(GeminiCliProvider.getMetadata()).toEqual({
      name: 'gemini-cli',
      description: expect.stringContaining('Gemini CLI AI agent via subprocess'),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      requiresConfig: false,
      configKeys: CONFIG_KEYS,
      configSchema: expect.objectContaining({ type: 'object' }),
      defaultResponseTimeout: 600,
      fsAbility: 'local-write',
    });
  });
});
