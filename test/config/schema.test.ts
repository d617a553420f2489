import { describe, expect, it } from 'vitest';
import { CONFIG_KEYS, configSchema } from '../../src/config/schema.js';

/** Longest delay of a Node timer. */
const LONGEST_SECONDS = 2_147_483;

function problemsOf(config: object): string[] {
  return configSchema.safeParse(config).error?.issues.map(({ message }) => message) ?? [];
}

describe('the configuration schema', () => {
  it('knows every documented key', () => {
    expect(CONFIG_KEYS).toEqual([
      'model',
      'approvalMode',
      'includeDirectories',
      'allowedTools',
      'deniedTools',
      'allowRedirection',
      'protectedPaths',
      'sandbox',
      'workingDir',
      'timeout',
      'idleTimeout',
      'startTimeout',
      'maxCliAttempts',
      'promptDelivery',
      'expandAt',
      'systemPrompt',
      'resume',
      'sessionId',
      'trustWorkspace',
      'env',
      'inheritEnv',
      'secrets',
      'cliPath',
      'extraArgs',
      'compileCache',
      'processIsolation',
      'workspaceScan',
      'keepArtifacts',
      'expects',
      'repair',
      'maxCost',
      'prices',
      'transport',
      'pool',
      'mcpServers',
      'onPermission',
      'permissionTimeout',
      'unattended',
      'clientFiles',
      'clientTerminals',
      'strict',
      'logger',
    ]);
  });

  it('requires no key', () => {
    expect(problemsOf({})).toEqual([]);
  });

  it.each(['timeout', 'idleTimeout', 'startTimeout'])(
    'limits %s to the longest delay of a Node timer',
    (key) => {
      expect(problemsOf({ [key]: 0.5 })).toEqual([]);
      expect(problemsOf({ [key]: `${LONGEST_SECONDS}s` })).toEqual([]);
      expect(problemsOf({ [key]: `${LONGEST_SECONDS + 1}s` })).toEqual([
        `must be at most ${LONGEST_SECONDS} (seconds)`,
      ]);
    },
  );

  it('accepts any object with the four methods as a logger', () => {
    const log = () => {};
    expect(problemsOf({ logger: { debug: log, info: log, warn: log, error: log } })).toEqual([]);
    expect(problemsOf({ logger: { debug: log, info: log, warn: log } })).toHaveLength(1);
    expect(problemsOf({ logger: log })).toHaveLength(1);
  });
});
