import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { AgentPool } from '../../src/agents/acp/agent-pool.js';
import type { AgentEvent } from '../../src/api/agent-event.js';
import { closeIdleReaper } from '../../src/base/process/reaper.js';
import { AcpAgentProvider } from '../../src/step/acp-agent-provider.js';
import { failureOf, isAlive, makeFolder, program } from '../fixtures/cli/support.js';
import { openAgent as open } from './open-agent.js';

afterAll(closeIdleReaper);

async function typesOf(events: AsyncIterable<AgentEvent>): Promise<string[]> {
  const types: string[] = [];
  for await (const event of events) types.push(event.type);
  return types;
}

describe('a step with an agent', () => {
  it('returns text, usage, session and model', async () => {
    const { generate } = open();
    expect(await generate('say hello world')).toMatchObject({
      text: 'hello world',
      usage: { total: 10, input: 7, output: 3, toolCalls: 0 },
      sessionId: expect.stringMatching(/^s\d+-1$/),
      model: 'm1',
      transport: 'acp',
      files: [],
      deniedTools: [],
      warnings: [],
    });
  });

  it('yields its events in order, the last with the result', async () => {
    const { provider } = open();
    expect(await typesOf(provider.stream('write a.txt text'))).toEqual([
      'session-init',
      'session-mode',
      'available-commands',
      'user-input',
      'tool-invocation',
      'permission-request',
      'tool-completion',
      'file-change',
      'text-delta',
      'turn-complete',
    ]);
  });

  it('lists the written files with their old content', async () => {
    const { generate, workingDir } = open();
    expect(await generate('write sub/a.txt new words')).toMatchObject({
      text: 'written',
      files: [{ path: 'sub/a.txt', kind: 'created', tools: ['edit'], confirmed: true }],
      filesWritten: { 'sub/a.txt': null },
    });
    expect(readFileSync(join(workingDir, 'sub/a.txt'), 'utf8')).toBe('new words');
  });

  it('sets mode and model if the agent offers them, and passes MCP servers on', async () => {
    const mcpServers = [{ name: 'x', command: 'y' }];
    const { generate } = open({ model: 'm2', mcpServers });
    expect(JSON.parse((await generate('settings')).text)).toEqual({
      mcpServers: [{ name: 'x', command: 'y', args: [], env: [] }],
      modeId: 'acceptEdits',
      modelId: 'm2',
    });
    // The agent refuses this mode. The step continues, because the permission policy decides.
    expect((await generate('settings', { approvalMode: 'yolo', model: 'm1' })).text).not.toContain(
      'mode',
    );
  });

  it('reuses a warm process, with a new session for each step', async () => {
    const { generate } = open();
    const results = [await generate('pid'), await generate('pid'), await generate('pid')];
    expect(new Set(results.map(({ text }) => text)).size).toBe(1);
    expect(new Set(results.map(({ sessionId }) => sessionId)).size).toBe(3);
  });

  it('gets only its own updates while others run at the same time', async () => {
    const { generate } = open();
    const words = Array.from({ length: 8 }, (_, n) => `word-${n}`);
    const results = await Promise.all(words.map((word) => generate(`say ${word}`)));
    expect(results.map(({ text }) => text)).toEqual(words);
  });

  it('ignores invalid lines between the messages', async () => {
    expect(await open().generate('garbage')).toMatchObject({ text: 'clean' });
  });

  it('resumes an earlier session without its old text', async () => {
    const { provider, fail } = open();
    const events: AgentEvent[] = [];
    for await (const event of provider.stream('say new', {}, { resume: 'earlier' })) {
      events.push(event);
    }
    expect(events.at(-1)).toMatchObject({ result: { text: 'new', sessionId: 'earlier' } });
    expect(events.filter(({ type }) => type === 'user-input')).toMatchObject([
      { text: 'what was asked', isSynthetic: true },
      { text: 'say new', isSynthetic: false },
    ]);
    expect(await fail('say x', { resume: 'none' })).toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('keeps every event for a slow caller', async () => {
    const { provider } = open();
    let text = '';
    for await (const event of provider.stream('many 4000')) {
      if (event.type === 'text-delta') text += event.text;
      if (event.type === 'user-input') await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(text.trim().split(' ')).toEqual(Array.from({ length: 4000 }, (_, n) => String(n)));
  });

  it('kills processes that a command has left behind', async () => {
    const { text, warnings } = await open().generate('leave');
    expect(isAlive(Number(text))).toBe(false);
    expect(warnings).toMatchObject([{ code: 'PROCESSES_LEFT', count: 1 }]);
  });
});

describe('files through the client', () => {
  it('are offered only if the caller allows it', async () => {
    const { generate, workingDir } = open();
    expect((await generate(`read ${join(workingDir, 'a')}`)).text).toContain('error');
    expect((await generate('unheard')).text).toContain('error');
  });

  it('are read and written, and each one may be refused', async () => {
    const refused: string[] = [];
    const beforeWrite = ({ path }: { path: string }) => path !== 'no.txt' || refused.push(path) < 0;
    const { generate, workingDir } = open({ clientFiles: { beforeWrite } });
    const [yes, no] = [join(workingDir, 'yes.txt'), join(workingDir, 'no.txt')];
    await generate(`put ${yes} some words`);
    expect((await generate(`read ${yes}`)).text).toBe('{"content":"some words"}');
    expect((await generate(`put ${no} x`)).text).toContain('Writing no.txt is not allowed');
    expect((await generate('read /etc/passwd')).text).toContain('outside of the workspace');
    expect([refused, existsSync(no)]).toEqual([['no.txt'], false]);
  });
});

describe('commands through the client', () => {
  it('need the same permission as commands of the agent', async () => {
    const { generate } = open({ clientTerminals: true });
    expect((await generate('terminal touch made')).text).toContain('not allowed');
    const allowed = await generate('terminal echo $((1 + 1))', { allowedTools: ['execute'] });
    expect(JSON.parse(allowed.text)).toMatchObject({ exitCode: 0, output: '2\n' });
  });

  it('have ended when the step ends', async () => {
    const config = { clientTerminals: true, approvalMode: 'yolo', timeout: 0.8 } as const;
    const { fail, workingDir } = open(config);
    await fail('terminal echo $$ > pid; exec sleep 60');
    expect(isAlive(Number(readFileSync(join(workingDir, 'pid'), 'utf8')))).toBe(false);
  });
});

describe('the provider', () => {
  it('validates without starting the agent', async () => {
    const { provider, workingDir } = open({}, 'exit 41');
    expect(await provider.validate()).toEqual({
      cliPath: program('acp-agent.mjs'),
      cliVersion: undefined,
      workingDir,
      notes: [],
    });
  });

  it('refuses options of the Gemini CLI, also in a call', async () => {
    const { fail } = open();
    expect(await fail('say x', { sandbox: true })).toMatchObject({ code: 'INVALID_CONFIG' });
    const config = { command: 'x', cliPath: 'y' };
    expect(await failureOf(() => new AcpAgentProvider(config))).toMatchObject({
      code: 'INVALID_CONFIG',
      problems: [{ key: 'cliPath' }],
    });
  });

  it('may share a pool, which only its owner disposes of', async () => {
    const pool = new AgentPool();
    onTestFinished(() => pool.dispose());
    const workingDir = makeFolder();
    const [one, two] = [open({ pool, workingDir }), open({ pool, workingDir })];
    const pid = (await one.generate('pid')).text;
    await one.provider.dispose();
    expect((await two.generate('pid')).text).toBe(pid);
    expect(pool.stats()).toMatchObject({ started: 1 });
  });

  it('refuses a pool that another copy of the package created', async () => {
    const pool = { kind: 'agent-pool', stats: () => ({}), dispose: async () => {} };
    const config = { command: program('acp-agent.mjs'), pool };
    const provider = AcpAgentProvider.fromConfig(config);
    expect(await failureOf(() => provider.generate('x'))).toMatchObject({ code: 'INVALID_CONFIG' });
  });

  it('refuses every call after it was disposed of', async () => {
    const { provider, generate } = open();
    await generate('say x');
    await provider.dispose();
    const refused = { code: 'INVALID_INPUT', message: 'The provider has been disposed of' };
    expect(await failureOf(() => generate('say y'))).toMatchObject(refused);
    expect(await failureOf(() => provider.stream('say y').next())).toMatchObject(refused);
    expect(await failureOf(() => provider.validate())).toMatchObject(refused);
    await provider.dispose();
  });

  it('does not change other files of the folder', async () => {
    const { generate, workingDir } = open({ approvalMode: 'yolo' });
    writeFileSync(join(workingDir, 'mine.txt'), 'mine');
    expect((await generate('say x')).files).toEqual([]);
    expect(readFileSync(join(workingDir, 'mine.txt'), 'utf8')).toBe('mine');
  });
});
