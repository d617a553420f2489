import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { detectCli } from '../../../src/agents/gemini/detect-cli.js';
import { failureOf, makeFolder } from '../../fixtures/cli/support.js';

beforeEach(() => {
  const before = process.cwd();
  vi.stubEnv('GEMINI_CLI_PATH', undefined);
  vi.stubEnv('HOME', makeFolder());
  vi.stubEnv('PATH', '');
  process.chdir(makeFolder());
  onTestFinished(() => {
    process.chdir(before);
    vi.unstubAllEnvs();
  });
});

function makeCli(path = 'gemini'): string {
  return makeFolder({ [`${path}*`]: '#!/bin/sh\n' });
}

describe('detectCli', () => {
  it('returns null if no CLI is installed, or if the named one is none', () => {
    expect(detectCli()).toBeNull();
    expect(detectCli({ cliPath: join(makeFolder(), 'gemini') })).toBeNull();
    vi.stubEnv('GEMINI_CLI_PATH', '/nowhere/gemini');
    expect(detectCli()).toBeNull();
  });

  it('searches in the order of a step, without starting a process', () => {
    const onPath = makeCli();
    vi.stubEnv('PATH', onPath);
    expect(detectCli()).toBe(join(onPath, 'gemini'));
    const workingDir = makeCli('node_modules/.bin/gemini');
    expect(detectCli({ workingDir })).toBe(join(workingDir, 'node_modules/.bin/gemini'));
    const named = join(makeCli(), 'gemini');
    vi.stubEnv('GEMINI_CLI_PATH', named);
    expect(detectCli({ workingDir })).toBe(named);
    const cliPath = join(makeCli(), 'gemini');
    expect(detectCli({ workingDir, cliPath })).toBe(cliPath);
  });

  it.each([
    [{ cliPat: 'x' }, /options.*unknown key "cliPat". Did you mean "cliPath"\?/],
    [{ ask: true }, /unknown key "ask"/],
    [{ cliPath: 7 }, /options\.cliPath = 7: must be a text/],
    [{ workingDir: '/no/such/folder' }, /workingDir/],
  ])('refuses %j', async (options: object, message) => {
    expect(await failureOf(() => detectCli(options))).toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringMatching(message),
    });
  });
});
