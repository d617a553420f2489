import { expect, it } from 'vitest';
import { findStepSecrets } from '../../src/agents/step-secrets.js';

it('the secrets of a step come from the environment, `secrets` and the MCP servers (claim: secrets-hidden)', () => {
  const config = {
    secrets: ['PIN', 'ONLY_HERE', 'NOT_SET'],
    mcpServers: [
      { name: 'a', command: 'x', env: [{ name: 'MCP_TOKEN', value: 'token-of-mcp' }] },
      { name: 'b', command: 'x' },
      {
        name: 'c',
        type: 'http' as const,
        url: 'http://x',
        headers: [
          { name: 'Authorization', value: 'Bearer header-token' },
          { name: 'Accept', value: 'application/json' },
        ],
      },
      { name: 'd', type: 'sse' as const, url: 'http://x' },
    ],
  };
  const env = { PIN: '1234', API_KEY: 'key-of-the-agent', LANG: 'en_GB.UTF-8' };
  expect(findStepSecrets(config, env, { ONLY_HERE: 'xyz', OTHER_KEY: 'not-for-agents' })).toEqual([
    '1234',
    'key-of-the-agent',
    'xyz',
    'token-of-mcp',
    'Bearer header-token',
  ]);
});
