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
  it('gives its text, its usage and who it was', async () => {
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

  it('shows its events in order, the last with the result', async () => {
    const { provider } = open();
    expect(await typesOf(provider.stream('write a.txt text'))).toEqual([
      'session-init',
      'available-commands',
      'user-input',
      'tool-invocation',
      'permission-request',
      'tool-completion',
      'text-delta',
      'turn-complete',
    ]);
  });

  it('finds the files that were written, with what they were before', async () => {
    const { generate, workingDir } = open();
    expect(await generate('write sub/a.txt new words')).toMatchObject({
      text: 'written',
      files: [{ path: 'sub/a.txt', kind: 'created', tools: ['edit'], confirmed: true }],
      filesWritten: { 'sub/a.txt': null },
    });
    expect(readFileSync(join(workingDir, 'sub/a.txt'), 'utf8')).toBe('new words');
  });

  it('sets the mode and the model where the agent offers them, and passes servers on', async () => {
    const mcpServers = [{ name: 'x', command: 'y' }];
    const { generate } = open({ model: 'm2', mcpServers });
    expect(JSON.parse((await generate('settings')).text)).toEqual({
      mcpServers: [{ name: 'x', command: 'y', args: [], env: [] }],
      modeId: 'acceptEdits',
      modelId: 'm2',
    });
    // It refuses this mode, which does no harm: the policy is the gate.
    expect((await generate('settings', { approvalMode: 'yolo', model: 'm1' })).text).not.toContain(
      'mode',
    );
  });

  it('uses a warm process again, with another session for each step', async () => {
    const { generate } = open();
    const results = [await generate('pid'), await generate('pid'), await generate('pid')];
    expect(new Set(results.map(({ text }) => text)).size).toBe(1);
    expect(new Set(results.map(({ sessionId }) => sessionId)).size).toBe(3);
  });

  it('sees nothing but its own updates, however many run at once', async () => {
    const { generate } = open();
    const words = Array.from({ length: 8 }, (_, n) => `word-${n}`);
    const results = await Promise.all(words.map((word) => generate(`say ${word}`)));
    expect(results.map(({ text }) => text)).toEqual(words);
  });

  it('survives garbage between the messages', async () => {
    expect(await open().generate('garbage')).toMatchObject({ text: 'clean' });
  });

  it('goes on in an earlier session, without its old text', async () => {
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

  it('keeps every event for one who is slow to take them', async () => {
    const { provider } = open();
    let text = '';
    for await (const event of provider.stream('many 4000')) {
      if (event.type === 'text-delta') text += event.text;
      if (event.type === 'user-input') await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(text.trim().split(' ')).toEqual(Array.from({ length: 4000 }, (_, n) => String(n)));
  });

  it('ends what a command has left behind', async () => {
    const { text, warnings } = await open().generate('leave');
    expect(isAlive(Number(text))).toBe(false);
    expect(warnings).toMatchObject([{ code: 'PROCESSES_LEFT', count: 1 }]);
  });
});

describe('files through us', () => {
  it('are not offered unless the caller wants it', async () => {
    const { generate, workingDir } = open();
    expect((await generate(`read ${join(workingDir, 'a')}`)).text).toContain('error');
    expect((await generate('unheard')).text).toContain('error');
  });

  it('are read and written, and may be refused one by one', async () => {
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

describe('commands through us', () => {
  it('need the same permission as those of the agent', async () => {
    const { generate } = open({ clientTerminals: true });
    expect((await generate('terminal touch made')).text).toContain('not allowed');
    const allowed = await generate('terminal echo $((1 + 1))', { allowedTools: ['execute'] });
    expect(JSON.parse(allowed.text)).toMatchObject({ exitCode: 0, output: '2\n' });
  });

  it('are gone when the step is over', async () => {
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

  it('may share a pool, which is its owner\u2019s to end', async () => {
    const pool = new AgentPool();
    onTestFinished(() => pool.dispose());
    const workingDir = makeFolder();
    const [one, two] = [open({ pool, workingDir }), open({ pool, workingDir })];
    const pid = (await one.generate('pid')).text;
    await one.provider.dispose();
    expect((await two.generate('pid')).text).toBe(pid);
    expect(pool.stats()).toMatchObject({ started: 1 });
  });

  it('refuses a pool that another copy of the package has made', async () => {
    const pool = { kind: 'agent-pool', stats: () => ({}), dispose: async () => {} };
    const config = { command: program('acp-agent.mjs'), pool };
    const provider = new AcpAgentProvider(config);
    expect(await failureOf(() => provider.generate('x'))).toMatchObject({ code: 'INVALID_CONFIG' });
  });

  it('works again after it was disposed of', async () => {
    const { provider, generate } = open();
    await generate('say x');
    await provider.dispose();
    expect((await generate('say y')).text).toBe('y');
  });

  it('leaves what is in the folder alone', async () => {
    const { generate, workingDir } = open({ approvalMode: 'yolo' });
    writeFileSync(join(workingDir, 'mine.txt'), 'mine');
    expect((await generate('say x')).files).toEqual([]);
    expect(readFileSync(join(workingDir, 'mine.txt'), 'utf8')).toBe('mine');
  });
});
