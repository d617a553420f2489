import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { diagnose } from '../../src/doctor/diagnose.js';
import { type Files, makeFolder, program } from '../fixtures/cli/support.js';

/** Nothing of the person who runs the tests. */
beforeEach(() => {
  for (const name of Object.keys(process.env)) {
    if (/^(GEMINI|GOOGLE)_/.test(name)) vi.stubEnv(name, undefined);
  }
});
afterEach(() => {
  vi.unstubAllEnvs();
});

function examine(config: Record<string, unknown> = {}, files: Files = {}) {
  const workingDir = makeFolder(files);
  const env = { GEMINI_CLI_HOME: makeFolder(), GEMINI_API_KEY: 'a-key-that-is-long' };
  const cliPath = program('quick.sh');
  return diagnose({ cliPath, workingDir, env, trustWorkspace: true, ...config });
}
const problems = ({ findings }: Awaited<ReturnType<typeof diagnose>>) => {
  return findings.flatMap(({ status, check }) => (status === 'problem' ? check : []));
};

describe('a place where a run can start', () => {
  it('has nothing but good findings, in the order of their importance', async () => {
    const { ok, findings } = await examine();
    expect(ok).toBe(true);
    expect(findings.map(({ check, status }) => `${check} ${status}`)).toEqual([
      'CLI ok',
      'version ok',
      'authentication ok',
      'workspace trust ok',
      'temp folder ok',
      'home of the CLI ok',
    ]);
    expect(findings[0]?.message).toBe(`${program('quick.sh')} (found in cliPath)`);
  });

  it('may have something to be noted', async () => {
    const { ok, findings } = await examine({ cliPath: program('old-0.10.mjs'), modle: 'x' });
    expect(ok).toBe(true);
    const notes = findings.filter(({ status }) => status === 'note');
    expect(notes).toMatchObject([
      { check: 'configuration', message: 'Unknown key "modle"' },
      { check: 'version', message: expect.stringContaining('older than the tested') },
      { check: 'version', message: expect.stringContaining('no tool calls') },
    ]);
  });
});

describe('a place where a run would fail', () => {
  const settings = (value: object) => ({ '.gemini/settings.json': JSON.stringify(value) });

  it.each<[string, Record<string, unknown>, Files, string[]]>([
    ['nobody can log in', { env: { GEMINI_CLI_HOME: '/nowhere' } }, {}, ['authentication']],
    ['nobody trusts it', { trustWorkspace: false }, {}, ['workspace trust']],
    ['settings are broken', {}, { '.gemini/settings.json': '{oops' }, ['settings']],
    [
      'yolo is forbidden',
      { approvalMode: 'yolo' },
      settings({ security: { disableYoloMode: true } }),
      ['approval mode'],
    ],
    ['the sandbox is missing', { sandbox: 'no-such-box' }, {}, ['sandbox']],
    ['the CLI is missing', { cliPath: '/no/such/gemini' }, {}, ['CLI']],
    ['a folder is missing', { includeDirectories: ['/no/such/folder'] }, {}, ['configuration']],
    ['the configuration is wrong', { timeout: 'long' }, {}, ['configuration']],
  ])('is found where %s', async (_what, config, files, expected) => {
    const diagnosis = await examine(config, files);
    expect(diagnosis.ok).toBe(false);
    expect(problems(diagnosis)).toEqual(expected);
    for (const { status, fix } of diagnosis.findings) {
      if (status === 'problem') expect(fix).toMatch(/\w/);
    }
  });

  it('is found where no sandbox of the usual ones is on PATH, and not where one is', async () => {
    const bin = makeFolder({ 'podman*': '#!/bin/sh\n' });
    const env = { GEMINI_CLI_HOME: bin, GEMINI_API_KEY: 'k', PATH: '/nowhere' };
    const missing = await examine({ sandbox: true, env });
    expect(missing.findings).toContainEqual({
      check: 'sandbox',
      status: 'problem',
      message: 'No docker, podman, sandbox-exec on PATH',
      fix: 'Install docker or podman or sandbox-exec, or turn sandbox off.',
    });
    const found = await examine({ sandbox: true, env: { ...env, PATH: bin } });
    expect(found.findings).toContainEqual({ check: 'sandbox', status: 'ok', message: 'podman' });
  });

  it('is found where the temp folder cannot be used', async () => {
    const config = { cliPath: program('quick.sh') };
    const workingDir = makeFolder();
    vi.stubEnv('TMPDIR', join(workingDir, 'none'));
    expect(problems(await diagnose({ ...config, workingDir, trustWorkspace: true }))).toContain(
      'temp folder',
    );
  });
});
