import { describe, expect, it } from 'vitest';
import { createClientConfig } from '../../../src/engines/mcp/client-config.js';

const server = {
  command: 'node',
  args: ['/opt/a "b"\\c/cli.js', 'mcp', '--root', '/work'],
  variables: ['GEMINI_API_KEY'],
};

describe('createClientConfig', () => {
  it('writes JSON for Claude with its form of variables', () => {
    expect(JSON.parse(createClientConfig('claude', server).text)).toEqual({
      mcpServers: {
        'gemini-cli': {
          type: 'stdio',
          command: 'node',
          args: server.args,
          // biome-ignore lint/suspicious/noTemplateCurlyInString: Claude replaces it.
          env: { GEMINI_API_KEY: '${GEMINI_API_KEY}' },
        },
      },
    });
  });

  it.each([
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Cursor replaces it.
    ['cursor', '${env:GEMINI_API_KEY}'],
    ['gemini', '$GEMINI_API_KEY'],
  ] as const)('writes JSON for %s with its form of variables', (client, reference) => {
    const { mcpServers } = JSON.parse(createClientConfig(client, server).text);
    expect(mcpServers['gemini-cli']).toEqual({
      command: 'node',
      args: server.args,
      env: { GEMINI_API_KEY: reference },
    });
  });

  it('writes TOML for Codex', () => {
    expect(createClientConfig('codex', server).text).toBe(
      [
        '[mcp_servers.gemini-cli]',
        'command = "node"',
        'args = ["/opt/a \\"b\\"\\\\c/cli.js", "mcp", "--root", "/work"]',
        'env_vars = ["GEMINI_API_KEY"]',
      ].join('\n'),
    );
  });

  it('leaves variables out if there are none', () => {
    const without = { ...server, variables: [] };
    expect(createClientConfig('codex', without).text).not.toContain('env_vars');
    expect(createClientConfig('claude', without).text).not.toContain('"env"');
  });
});
