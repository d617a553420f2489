import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Diagnosis } from '../../src/api/diagnosis.js';
import { addDoctorCommand } from '../../src/cli/doctor.js';
import { runCommandHere } from '../fixtures/cli/in-process.js';
import { makeFolder, program, runMain } from '../fixtures/cli/support.js';
import { beTerminal } from '../fixtures/cli/terminal.js';

/** Hides the login of the user who runs the tests. */
beforeEach(() => {
  for (const name of Object.keys(process.env)) {
    if (/^(GEMINI|GOOGLE)_/.test(name)) vi.stubEnv(name, undefined);
  }
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the command doctor', () => {
  it('reports all problems at once, as JSON', async () => {
    const cwd = makeFolder({ '.gemini/settings.json': '{oops' });
    const flags = ['--cli-path', program('quick.sh'), '-C', cwd, '--sandbox', 'no-such-box'];
    const env = { HOME: makeFolder() };
    const { code, stdout, stderr } = await runMain(['doctor', '--json', ...flags], { env });
    expect([code, stderr]).toEqual([1, '']);
    const { ok, findings }: Diagnosis = JSON.parse(stdout);
    expect(ok).toBe(false);
    const problems = findings.filter(({ status }) => status === 'problem');
    expect(problems.map(({ check }) => check)).toEqual([
      'settings',
      'authentication',
      'workspace trust',
      'sandbox',
    ]);
    for (const { fix } of problems) expect(fix).toMatch(/\w/);
  });

  it('prints each finding with its fix as plain text', async () => {
    const home = makeFolder({ '.gemini/trustedFolders.json': '{"/":"TRUST_FOLDER"}' });
    vi.stubEnv('HOME', home);
    const args = ['doctor', '--cli-path', program('quick.sh'), '-C', makeFolder()];
    const sick = await runCommandHere(addDoctorCommand, args);
    expect(sick.code).toBe(1);
    expect(sick.stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^✓ gemini-cli-provider: \d+\.\d+\.\d+$/),
      `✓ Node: ${process.version}`,
      expect.stringMatching(/^✓ git: \d+\./),
      expect.stringMatching(/^✓ prlimit: \d+\./),
      '✓ configuration: All values are valid',
      `✓ CLI: ${program('quick.sh')} (found in cliPath)`,
      '✓ version: 0.61.0',
      '✓ settings: None',
      '✗ authentication: No authentication is configured',
      expect.stringMatching(/^ {4}Fix: Set GEMINI_API_KEY/),
      `✓ workspace trust: Trusted by ${home}/.gemini/trustedFolders.json`,
      '✓ approval mode: auto_edit',
      '✓ sandbox: Off',
      expect.stringMatching(/^✓ processes: A \w+ holds the processes of a step together \(/),
      expect.stringMatching(/^✓ temp folder: \//),
      `✓ home of the CLI: ${home}/.gemini`,
    ]);
    vi.stubEnv('GEMINI_API_KEY', 'a-key-that-is-long');
    const healthy = await runCommandHere(addDoctorCommand, args);
    expect(healthy.code).toBe(0);
    expect(healthy.stdout).not.toContain('✗');
  });

  it('names flags in fixes, and keys in those of --json', async () => {
    vi.stubEnv('HOME', makeFolder());
    const args = ['doctor', '--cli-path', program('quick.sh'), '-C', makeFolder()];
    const { stdout } = await runCommandHere(addDoctorCommand, args);
    expect(stdout).toContain('Fix: Set `--trust-workspace` if');
    const { stdout: json } = await runCommandHere(addDoctorCommand, [...args, '--json']);
    expect(json).toContain('Set `trustWorkspace: true` if');
  });

  it.each([
    ['a config file that is not there', ['--config', '/no/such/file'], 'config'],
    ['a mode without its prompt', ['--system-prompt-mode', 'replace'], 'systemPromptMode'],
  ])('reports %s as one finding among others', async (_what, flags, key) => {
    const args = ['doctor', '--json', '--cli-path', '/no/such/gemini', ...flags];
    const { code, stdout, stderr } = await runCommandHere(addDoctorCommand, args);
    expect([code, stderr]).toEqual([1, '']);
    const { ok, findings }: Diagnosis = JSON.parse(stdout);
    expect(ok).toBe(false);
    const found = findings.find(({ check }) => check === 'configuration');
    expect(found?.message).toContain(`${key} = `);
    const seen = findings.map(({ check, status }) => `${check} ${status}`);
    expect(seen).toContain('CLI problem');
    expect(seen).toContain('temp folder ok');
  });

  it.each([true, false])('prints colours if stdout is a terminal: %s', async (isTTY) => {
    beTerminal({ stdout: isTTY, stderr: !isTTY });
    const args = ['doctor', '--cli-path', program('quick.sh'), '-C', makeFolder()];
    const { stdout } = await runCommandHere(addDoctorCommand, args);
    expect(stdout.includes('\u001b[32m✓')).toBe(isTTY);
    expect(stdout.includes('\u001b')).toBe(isTTY);
  });

  it('checks the remote server of another folder, and makes no folder', async () => {
    const home = makeFolder();
    vi.stubEnv('GEMINI_CLI_HOME', home);
    vi.stubEnv('XDG_STATE_HOME', join(home, 'usual'));
    const state = join(makeFolder(), 'state');
    const link = join(home, '.gemini/extensions/gemini-cli-provider-remote');
    mkdirSync(link, { recursive: true });
    const installed = { source: join(state, 'extension'), type: 'link' };
    writeFileSync(join(link, '.gemini-extension-install.json'), JSON.stringify(installed));
    const check = async (...flags: string[]): Promise<Record<string, string>> => {
      const args = ['doctor', '--json', '--cli-path', program('quick.sh'), '-C', home, ...flags];
      const { stdout } = await runCommandHere(addDoctorCommand, args);
      const { findings }: Diagnosis = JSON.parse(stdout);
      return Object.fromEntries(findings.map((found) => [found.check, found.message]));
    };
    expect((await check('--remote'))['remote: hooks']).toContain('linked to another folder');
    const found = await check('--remote-state', relative(process.cwd(), state));
    expect(found['remote: hooks']).toBe(`${join(state, 'extension')} has no bridge.sh`);
    expect([existsSync(state), existsSync(join(home, 'usual'))]).toEqual([false, false]);
    mkdirSync(state);
    chmodSync(state, 0o777);
    const open = await check('--remote', '--remote-state', state);
    expect(open['remote: state folder']).toBe(`${state} is writable by other users`);
  });

  it('has a help text with examples', async () => {
    const { stdout } = await runCommandHere(addDoctorCommand, ['doctor', '--help']);
    expect(stdout).toContain('Examples:\n  $ gemini-cli-provider doctor');
    expect(stdout).toContain('Exit codes: 0 a step can start · 1 a problem');
  });
});
