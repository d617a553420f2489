import { describe, expect, it, onTestFinished } from 'vitest';
import { AgentProcess } from '../../../src/agents/acp/agent-process.js';
import { PoolMember } from '../../../src/agents/acp/pool-member.js';
import { readPackageVersion } from '../../../src/base/fs/package-version.js';
import { silentLogger } from '../../../src/config/logging.js';
import { failureOf } from '../../fixtures/cli/support.js';
import { launchTiny } from './tiny-agent.js';

async function spawn(options: Parameters<typeof launchTiny>[0]) {
  const agent = await AgentProcess.spawn(launchTiny(options), silentLogger);
  onTestFinished(() => agent.end());
  return { agent, member: new PoolMember(agent) };
}

const spec = { cwd: process.cwd(), mcpServers: [] };

describe('the handshake with an agent', () => {
  it('tells the agent who its client is', async () => {
    const { agent } = await spawn({ start: 'tell-client' });
    await agent.ready;
    const client = { name: 'gemini-cli-provider', title: 'Gemini CLI provider' };
    // The agent writes to stderr before it answers.
    expect(JSON.parse(await agent.readStderr())).toEqual({
      ...client,
      version: readPackageVersion(),
    });
  });

  it('reads what the agent tells of itself', async () => {
    const { agent } = await spawn({});
    await agent.ready;
    expect(agent.identity).toEqual({
      protocolVersion: 1,
      name: 'tiny',
      version: '1.2.3',
      capabilities: { loadSession: true },
    });
  });

  it('refuses an agent that speaks another version of the protocol', async () => {
    const { agent } = await spawn({ start: 'future' });
    expect(await failureOf(() => agent.ready)).toMatchObject({
      code: 'PROTOCOL',
      message: expect.stringContaining('version 7'),
    });
  });

  it('refuses a login method that the agent does not offer', async () => {
    const { agent } = await spawn({ start: 'methods', authMethod: 'key' });
    expect(await failureOf(() => agent.ready)).toMatchObject({
      code: 'AUTH',
      hint: expect.stringContaining('browser'),
    });
    const offered = await spawn({ start: 'methods', authMethod: 'browser' });
    await offered.agent.ready;
  });
});

describe('a session of an agent that does not offer it', () => {
  it('is not loaded', async () => {
    const { member } = await spawn({ start: 'bare' });
    expect(await failureOf(() => member.load(spec, 's1'))).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'Tiny cannot continue an earlier session: it does not offer session/load',
    });
    expect(member.created).toBe(0);
  });

  it('is not opened with MCP servers of another kind', async () => {
    const { member } = await spawn({ start: 'bare' });
    const server = { type: 'http', name: 'docs', url: 'http://127.0.0.1:1' } as const;
    expect(await failureOf(() => member.open({ ...spec, mcpServers: [server] }))).toMatchObject({
      code: 'INVALID_CONFIG',
      message: 'Tiny cannot use MCP servers over http: docs',
    });
    const local = { name: 'local', command: 'true' };
    expect((await member.open({ ...spec, mcpServers: [local] })).id).toMatch(/^s/);
  });
});
