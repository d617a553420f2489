import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { PROCESS_TAG_VARIABLE } from '../../../src/base/process/process-tree.js';
import { addMcpCommand } from '../../../src/cli/mcp/mcp.js';
import { runCommandHere } from '../../fixtures/cli/in-process.js';
import { makeFolder } from '../../fixtures/cli/support.js';

const mcp = (...args: readonly string[]) => runCommandHere(addMcpCommand, ['mcp', ...args]);

describe('mcp --print-config', () => {
  it.each([
    ['claude', '"mcpServers"'],
    ['codex', '[mcp_servers.'],
  ])('prints what a user pastes into %s, with all roots', async (client, part) => {
    const root = makeFolder({ 'a/x': '', 'b/x': '' });
    const roots = ['--root', join(root, 'a'), '--root', join(root, 'b')];
    const { stdout, stderr } = await mcp('--print-config', client, ...roots);
    expect(stdout).toContain(part);
    for (const name of ['a', 'b']) expect(stdout).toContain(join(root, name));
    expect(stderr).not.toBe('');
  });

  it('prints a config that Claude can parse', async () => {
    const { stdout } = await mcp('--print-config', 'claude', '--root', makeFolder());
    const [server] = Object.values(JSON.parse(stdout).mcpServers);
    expect(server).toMatchObject({ args: expect.arrayContaining(['mcp', '--root']) });
  });

  it('is refused for a client that is not known', async () => {
    expect((await mcp('--print-config', 'emacs')).stderr).toContain('Allowed choices are');
  });
});

describe('mcp', () => {
  it.each(['0', '65', '1.5', 'many'])('refuses %s as the number of jobs', async (jobs) => {
    expect((await mcp('--max-jobs', jobs)).stderr).toContain('Give a whole number from 1 to 64.');
  });

  it('refuses a wrong configuration before it serves', async () => {
    await expect(mcp('--no-config', '--approval-mode', 'YOLO')).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      problems: [{ key: 'approvalMode', value: 'YOLO' }],
    });
  });

  it('refuses to start inside of an agent', async () => {
    vi.stubEnv(PROCESS_TAG_VARIABLE, 'tag');
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(mcp('--no-config')).rejects.toMatchObject({
      message: expect.stringContaining('has started this MCP server'),
    });
  });
});
