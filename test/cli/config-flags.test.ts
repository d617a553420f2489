import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addConfigFlags, readConfig } from '../../src/cli/config-flags.js';
import { normaliseKeys, resolveConfig } from '../../src/config/resolve-config.js';
import { CONFIG_KEYS } from '../../src/config/schema.js';
import { failureOf, makeFolder } from '../fixtures/cli/support.js';

function parse(...args: string[]): Record<string, unknown> {
  const command = addConfigFlags(
    new Command().exitOverride().configureOutput({ writeErr: () => {} }),
  );
  return readConfig(command.parse(args, { from: 'user' }).opts());
}
const file = (text: string) => join(makeFolder({ 'config.yaml': text }), 'config.yaml');

describe('the flags of the command', () => {
  it('are one for each key of the configuration', () => {
    const flags = addConfigFlags(new Command()).options.map((option) => option.attributeName());
    const missing = CONFIG_KEYS.filter((key) => !flags.includes(key));
    // A logger cannot be given on a command line; its level can.
    expect(missing).toEqual(['logger']);
    expect(flags).toContain('logLevel');
  });

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
    [['--env', 'A=1=2', '--env', 'B', '--env', 'C='], { env: { A: '1=2', B: true, C: '' } }],
    [['--extra-args=--debug', '--extra-args=-x'], { extraArgs: ['--debug', '-x'] }],
    [['--system-prompt', 'x'], { systemPrompt: { mode: 'prepend', text: 'x' } }],
    [
      ['--system-prompt-file', 'f', '--system-prompt-mode', 'replace'],
      { systemPrompt: { mode: 'replace', file: 'f' } },
    ],
    [['--resume', '3'], { resume: '3' }],
  ])('%j become a configuration', (args, config) => {
    expect(parse(...args)).toEqual(config);
    expect(() => resolveConfig(config)).not.toThrow();
  });

  it.each([
    [['--timeout', 'long'], 'Give a number'],
    [['--timeout', ''], 'Give a number'],
    [['--system-prompt-mode', 'append'], 'Allowed choices are prepend, replace'],
    [['--log-level', 'loud'], 'Allowed choices are debug, info, warn'],
    [['--modle', 'x'], 'Did you mean --model?'],
    [['-m'], 'argument missing'],
  ])('%j are wrong use', (args, message) => {
    expect(() => parse(...args)).toThrow(message);
  });

  it('can ask for a log', () => {
    const { logger } = resolveConfig(parse('--log-level', 'warn'));
    expect(logger).toMatchObject({ warn: expect.any(Function), level: 'warn' });
  });
});

describe('a configuration file', () => {
  it('is YAML or JSON, in either spelling of its keys', () => {
    const yaml = 'model: flash\nallowed_tools:\n  - write_file\nsandbox: null\n';
    const { values, unknownKeys } = normaliseKeys(parse('--config', file(yaml)));
    expect(values).toEqual({ model: 'flash', allowedTools: ['write_file'] });
    expect(unknownKeys).toEqual([]);
    expect(parse('-c', file('{"timeout": 5}'))).toEqual({ timeout: 5 });
  });

  it('is beaten by a flag', () => {
    const path = file('model: one\ntimeout: 5\nworkingDir: a\nsystemPrompt: old\n');
    expect(parse('-c', path, '-m', 'two', '-C', 'b', '--system-prompt', 'new')).toEqual({
      model: 'two',
      timeout: 5,
      workingDir: 'b',
      systemPrompt: { mode: 'prepend', text: 'new' },
    });
  });

  it.each([
    ['a: [1', 'config = '],
    ['', 'must hold settings by name'],
    ['- a\n- b\n', 'must hold settings by name'],
    ['just text', 'must hold settings by name'],
  ])('%j is refused', async (text, message) => {
    const path = file(text);
    expect(await failureOf(() => parse('-c', path))).toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining(message),
      problems: [{ key: 'config', value: path }],
    });
  });

  it('must be there', async () => {
    expect(await failureOf(() => parse('-c', '/no/such/file.yaml'))).toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining('ENOENT'),
    });
  });
});

describe('a flag and the same key in the file', () => {
  it.each(['approval_mode', 'approvalMode'])('give the flag, if the file says %s', (key) => {
    expect(parse('-c', file(`${key}: plan`), '--approval-mode', 'yolo')).toEqual({
      approvalMode: 'yolo',
    });
  });

  it('give the flag for the working directory too', () => {
    expect(parse('-c', file('working_dir: /a'), '--cwd', '/b')).toEqual({ workingDir: '/b' });
  });
});
