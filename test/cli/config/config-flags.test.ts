import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addConfigFlags } from '../../../src/cli/config/config-flags.js';
import { CONFIG_KEYS } from '../../../src/config/schema.js';
import { parseFlags } from '../../fixtures/cli/parse-flags.js';

describe('the configuration flags', () => {
  it('exist for each configuration key that a command line can express', () => {
    const flags = addConfigFlags(new Command()).options.map((option) => option.attributeName());
    const missing = CONFIG_KEYS.filter((key) => !flags.includes(key));
    const fromFileOnly = ['expects', 'pool', 'mcpServers'];
    const fromCodeOnly = ['onPermission', 'logger'];
    expect(missing).toEqual([...fromFileOnly, ...fromCodeOnly]);
    // A logger cannot be given on a command line; its level can.
    expect(flags).toContain('logLevel');
  });

  it('set no key if they are not given', () => {
    expect(parseFlags()).toEqual({});
  });

  it.each([
    'allowRedirection',
    'expandAt',
    'trustWorkspace',
    'inheritEnv',
    'compileCache',
    'clientFiles',
    'clientTerminals',
    'strict',
  ])('can turn %s on and off', (key) => {
    const flag = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    expect(parseFlags(`--${flag}`)).toEqual({ [key]: true });
    expect(parseFlags(`--no-${flag}`)).toEqual({ [key]: false });
  });

  it.each([
    [['--timeout', 'long'], 'Give seconds, or a duration such as 90s'],
    [['--timeout', ''], 'Give seconds'],
    [['--permission-timeout', 'soon'], 'Give seconds'],
    [['--system-prompt-mode', 'append'], 'Allowed choices are prepend, replace'],
    [['--log-level', 'loud'], 'Allowed choices are debug, info, warn'],
    [['--modle', 'x'], 'Did you mean --model?'],
    [['-m'], 'argument missing'],
    [['--cwd', 'a', '--working-dir', 'b'], 'cannot be used with'],
    [['--system-prompt', 'a', '--system-prompt-file', 'b'], 'cannot be used with'],
  ])('%j are refused', (args, message) => {
    expect(() => parseFlags(...args)).toThrow(message);
  });
});
