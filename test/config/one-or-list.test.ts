import { expect, it } from 'vitest';
import { acceptConfig } from '../../src/config/accept-config.js';
import { takesOneOrList } from '../../src/config/one-or-list.js';
import { CONFIG_KEYS } from '../../src/config/schema.js';

it('a single value stands for a list of one', () => {
  const server = { name: 'a', command: 'b' };
  const { config } = acceptConfig({
    includeDirectories: '.',
    allowedTools: 'run_shell_command(npm test)',
    denied_tools: 'write_file',
    allowRedirection: 'run_shell_command(npm test)',
    secrets: 'MY_TOKEN',
    extraArgs: '--debug',
    mcpServers: server,
    protectedPaths: '!.env',
    transport: 'acp',
  });
  expect(config.includeDirectories).toEqual(['.']);
  expect(config.allowedTools).toHaveLength(1);
  expect(config.deniedTools).toHaveLength(1);
  expect(config.secrets).toEqual(['MY_TOKEN']);
  expect(config.extraArgs).toEqual(['--debug']);
  expect(config.mcpServers).toEqual([server]);
  expect(config.protectedPaths.defaults).not.toContain('.env');
});

it('the keys that take one value in the place of a list are keys of the configuration', () => {
  expect(CONFIG_KEYS.filter(takesOneOrList)).toHaveLength(8);
});

it('durations of a configuration may have units', () => {
  const { config } = acceptConfig({
    timeout: '1h30m',
    idle_timeout: '90s',
    startTimeout: '500ms',
    permissionTimeout: 5,
    pool: { idleShutdown: '5m' },
  });
  expect(config).toMatchObject({
    timeoutMs: 5_400_000,
    idleTimeoutMs: 90_000,
    startTimeoutMs: 500,
    permissionTimeoutMs: 5_000,
    pool: { idleShutdown: 300 },
  });
});

it('$schema is ignored without a warning', () => {
  const warnings: unknown[] = [];
  const log = () => {};
  const logger = {
    debug: log,
    info: log,
    warn: (entry: unknown) => warnings.push(entry),
    error: log,
  };
  acceptConfig({ $schema: 'x', logger });
  expect(warnings).toEqual([]);
});
