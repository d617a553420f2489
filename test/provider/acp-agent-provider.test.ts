import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { AgentPool } from '../../src/acp/agent-pool.js';
import type { AcpAgentConfig } from '../../src/config/agent-config.js';
import type { AgentEvent } from '../../src/contract/agent-event.js';
import { ProviderError } from '../../src/errors/provider-error.js';
import { closeIdleReaper } from '../../src/process/reaper.js';
import { AcpAgentProvider } from '../../src/provider/acp-agent-provider.js';
import { failureOf, isAlive, makeFolder, program, until } from '../fixtures/cli/support.js';

afterAll(closeIdleReaper);

/** A provider with the tiny agent, in a folder of its own; `start` says how the agent begins. */
function open(config: Partial<AcpAgentConfig> = {}, start = '') {
  const workingDir = makeFolder();
  const provider = new AcpAgentProvider({
    command: program('acp-agent.mjs'),
    name: 'Tiny',
    workingDir,
    env: { START: start },
    ...config,
  });
  onTestFinished(() => provider.dispose());
  const run = (prompt: string, options = {}) => provider.generate(prompt, {}, options);
  const fail = async (prompt: string, options = {}) => {
    const error = await failureOf(() => run(prompt, options));
    expect(error).toBeInstanceOf(ProviderError);
    return error;
  };
  return { provider, workingDir, run, fail };
}

/** Takes events until one of this type has come. */
async function takeUntil(events: AsyncIterator<AgentEvent>, type: AgentEvent['type']) {
  const seen: AgentEvent[] = [];
  for (let next = await events.next(); !next.done; next = await events.next()) {
    seen.push(next.value);
    if (next.value.type === type) break;
  }
  return seen;
}

async function typesOf(events: AsyncIterable<AgentEvent>): Promise<string[]> {
  const types: string[] = [];
  for await (const event of events) types.push(event.type);
  return types;
}

describe('a step with an agent', () => {
  it('gives its text, its usage and who it was', async () => {
    const { run } = open();
    expect(await run('say hello world')).toMatchObject({
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
    const { run, workingDir } = open();
    expect(await run('write sub/a.txt new words')).toMatchObject({
      text: 'written',
      files: [{ path: 'sub/a.txt', kind: 'created', tools: ['Write sub/a.txt'], confirmed: true }],
      filesWritten: { 'sub/a.txt': null },
    });
    expect(readFileSync(join(workingDir, 'sub/a.txt'), 'utf8')).toBe('new words');
  });

  it('sets the mode and the model where the agent offers them, and passes servers on', async () => {
    const mcpServers = [{ name: 'x', command: 'y' }];
    const { run } = open({ model: 'm2', mcpServers });
    expect(JSON.parse((await run('settings')).text)).toEqual({
      mcpServers: [{ name: 'x', command: 'y', args: [], env: [] }],
      modeId: 'acceptEdits',
      modelId: 'm2',
    });
    // It refuses this mode, which does no harm: the policy is the gate.
    expect((await run('settings', { approvalMode: 'yolo', model: 'm1' })).text).not.toContain(
      'mode',
    );
  });

  it('uses a warm process again, with another session for each step', async () => {
    const { run } = open();
    const results = [await run('pid'), await run('pid'), await run('pid')];
    expect(new Set(results.map(({ text }) => text)).size).toBe(1);
    expect(new Set(results.map(({ sessionId }) => sessionId)).size).toBe(3);
  });

  it('sees nothing but its own updates, however many run at once', async () => {
    const { run } = open();
    const words = Array.from({ length: 8 }, (_, n) => `word-${n}`);
    const results = await Promise.all(words.map((word) => run(`say ${word}`)));
    expect(results.map(({ text }) => text)).toEqual(words);
  });

  it('survives garbage between the messages', async () => {
    expect(await open().run('garbage')).toMatchObject({ text: 'clean' });
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
    const { text, warnings } = await open().run('leave');
    expect(isAlive(Number(text))).toBe(false);
    expect(warnings).toMatchObject([{ code: 'PROCESSES_LEFT', count: 1 }]);
  });
});

describe('a step that fails', () => {
  it.each([
    ['silent', 'EMPTY_RESPONSE'],
    ['stop max_tokens', 'CONTEXT_OVERFLOW'],
    ['stop max_turn_requests', 'TURN_LIMIT'],
    ['stop refusal', 'CONTENT_BLOCKED'],
    ['refuse 429 too many', 'RATE_LIMITED'],
    ['refuse -32000 log in', 'AUTH'],
    ['refuse -32603 oops', 'UNKNOWN'],
  ])('because of "%s" is %s, and the process serves the next', async (prompt, code) => {
    const { run, fail } = open();
    expect(await fail(prompt)).toMatchObject({ code });
    expect((await run('say fine')).text).toBe('fine');
  });

  it('keeps what was produced', async () => {
    expect(await open().fail('stop refusal')).toMatchObject({ partial: { text: 'so far' } });
    expect(await open().fail('die-late')).toMatchObject({
      code: 'INCOMPLETE',
      retryable: true,
      signal: 'SIGKILL',
      message: 'Tiny was killed by SIGKILL before the end of the turn',
      stderrTail: expect.stringContaining('out of luck'),
      partial: { text: 'half an ans' },
    });
  });

  it('because its process has gone does not harm the next one, nor one beside it', async () => {
    const pool = { maxProcesses: 2, sessionsPerProcess: 1 };
    const { run, fail } = open({ pool });
    const [failure, beside] = await Promise.all([fail('die-late'), run('say beside')]);
    expect([failure, beside]).toMatchObject([{ code: 'INCOMPLETE' }, { text: 'beside' }]);
    expect((await run('say after')).text).toBe('after');
  });

  it.each([
    ['41', 'AUTH'],
    ['52', 'CLI_CONFIG'],
    ['1 Usage: gemini [options]', 'CLI_CONFIG'],
    ['1 who knows', 'PROTOCOL'],
  ])('because the agent exits at once with "%s" is %s', async (how, code) => {
    const { fail } = open({}, `exit ${how}`);
    expect(await fail('say x')).toMatchObject({ code, exitCode: Number(how.split(' ')[0]) });
  });

  it('because the agent cannot be started is CLI_NOT_FOUND', async () => {
    const command = join(makeFolder({ 'agent*': '#!/no/such/interpreter\n' }), 'agent');
    expect(await open({ command }).fail('say x')).toMatchObject({ code: 'CLI_NOT_FOUND' });
    const { provider, fail } = open({ command: join(makeFolder(), 'none') });
    expect(await fail('say x')).toMatchObject({ code: 'CLI_NOT_FOUND' });
    expect(await failureOf(() => provider.validate())).toMatchObject({ code: 'CLI_NOT_FOUND' });
  });

  it('because the agent wants a login is AUTH', async () => {
    expect(await open({}, 'login').fail('say x')).toMatchObject({ code: 'AUTH' });
    expect(await open({ authMethod: 'wrong' }).fail('say x')).toMatchObject({ code: 'AUTH' });
    expect((await open({ authMethod: 'right' }).run('say in')).text).toBe('in');
  });

  it('although the agent has closed its output and lives on', async () => {
    expect(await open().fail('close')).toMatchObject({
      code: 'INCOMPLETE',
      partial: { text: 'half' },
    });
  });

  it('although something that the agent has left behind holds its output open', async () => {
    const error = await open().fail('orphan');
    expect(error).toMatchObject({ code: 'INCOMPLETE', exitCode: 3 });
    const { partial }: { partial?: { text?: string } } = { ...Object(error) };
    await until(() => !isAlive(Number(partial?.text)));
  });
});

describe('a step that no process has taken up', () => {
  it('is moved to another process, silently', async () => {
    const pool = new AgentPool();
    onTestFinished(() => pool.dispose());
    const { run } = open({ pool });
    const marker = join(makeFolder(), 'died');
    expect(await run(`die-once ${marker}`)).toMatchObject({ text: 'second life', warnings: [] });
    expect(pool.stats()).toMatchObject({ started: 2 });
  });

  it('is given up when it has been moved often enough', async () => {
    const pool = new AgentPool();
    onTestFinished(() => pool.dispose());
    expect(await open({ pool }).fail('die')).toMatchObject({ code: 'INCOMPLETE', exitCode: 3 });
    expect(pool.stats()).toMatchObject({ started: 4, processes: 0, running: 0 });
  });

  it('because every process dies over its session is given up too', async () => {
    expect(await open({}, 'die-on-new').fail('say x')).toMatchObject({ code: 'INCOMPLETE' });
  });
});

describe('a step that takes too long', () => {
  it('to start ends, and the process with it', async () => {
    const pool = new AgentPool();
    onTestFinished(() => pool.dispose());
    const { fail } = open({ pool, startTimeout: 0.15 }, 'mute');
    expect(await fail('say x')).toMatchObject({ code: 'TIMEOUT', phase: 'start', retryable: true });
    expect(pool.stats()).toMatchObject({ processes: 0, running: 0 });
  });

  it('over its session does not spoil the process for all who come after', async () => {
    const marker = join(makeFolder(), 'hung');
    const { run, fail } = open({ startTimeout: 0.5 }, `hang-on-new ${marker}`);
    // The process itself has started: only the session does not come.
    expect(await fail('say x')).toMatchObject({ code: 'TIMEOUT', phase: 'start' });
    expect((await run('say next', { startTimeout: 10 })).text).toBe('next');
  });

  it.each([
    ['idle', { idleTimeout: 0.2 }],
    ['total', { timeout: 0.4 }],
  ])('is ended by the limit "%s", and the process is kept', async (phase, limits) => {
    const { run, fail } = open();
    const pid = (await run('pid')).text;
    expect(await fail('hang', limits)).toMatchObject({
      code: 'TIMEOUT',
      phase,
      partial: { text: 'working' },
    });
    expect((await run('pid')).text).toBe(pid);
  });

  it('and does not listen has its process ended, and what else runs there with it', async () => {
    const { provider, run, fail } = open();
    const pid = Number((await run('pid')).text);
    const beside = failureOf(() => run('hang'));
    expect(await fail('deaf', { timeout: 0.5 })).toMatchObject({ code: 'TIMEOUT' });
    expect(isAlive(pid)).toBe(false);
    expect(await beside).toMatchObject({ code: 'INCOMPLETE', partial: { text: 'working' } });
    expect((await run('say again')).text).toBe('again');
    await provider.dispose();
  });
});

describe('cancelling a step', () => {
  it('ends its turn and keeps the process', async () => {
    const { provider, run } = open();
    const pid = (await run('pid')).text;
    const cancel = new AbortController();
    const events = provider.stream('hang', {}, { signal: cancel.signal });
    await takeUntil(events, 'text-delta');
    cancel.abort();
    expect(await failureOf(() => takeUntil(events, 'unknown'))).toMatchObject({
      code: 'CANCELLED',
      partial: { text: 'working' },
    });
    expect((await run('pid')).text).toBe(pid);
  });

  it('answers an open question first, for the agent hears nothing before', async () => {
    const cancel = new AbortController();
    const { fail, run } = open({
      onPermission: () => {
        cancel.abort();
        return new Promise(() => {});
      },
    });
    const pid = (await run('pid')).text;
    expect(await fail('shell ls', { signal: cancel.signal })).toMatchObject({
      code: 'CANCELLED',
      partial: { text: 'did not run' },
    });
    expect((await run('pid')).text).toBe(pid);
  });

  it('while the agent starts does not harm another who waits for the same process', async () => {
    const { run, fail } = open({}, 'slow 300');
    const cancel = new AbortController();
    const beside = run('say unharmed');
    const cancelled = fail('say x', { signal: cancel.signal });
    setTimeout(() => cancel.abort(), 100);
    expect(await cancelled).toMatchObject({ code: 'CANCELLED' });
    expect(await beside).toMatchObject({ text: 'unharmed' });
  });

  it('by leaving the loop ends the turn as well', async () => {
    const pool = new AgentPool();
    onTestFinished(() => pool.dispose());
    const { provider, run } = open({ pool });
    for await (const event of provider.stream('hang')) if (event.type === 'text-delta') break;
    expect(pool.stats()).toMatchObject({ running: 0, processes: 1 });
    expect((await run('say next')).text).toBe('next');
  });

  it('by disposing of the provider leaves nothing alive', async () => {
    const { provider, run } = open({}, 'stubborn');
    const pid = Number((await run('pid')).text);
    const hanging = failureOf(() => run('hang'));
    await until(() => isAlive(pid));
    await provider.dispose();
    expect(isAlive(pid)).toBe(false);
    expect(await hanging).toMatchObject({ code: 'CANCELLED' });
  });
});

describe('a permission', () => {
  it('that no rule gives is refused and listed, and the run goes on', async () => {
    expect(await open().run('shell ls')).toMatchObject({
      text: 'did not run',
      deniedTools: [
        {
          tool: 'Run it',
          toolId: 'shell-1',
          reason: 'permission',
          hint: expect.stringContaining('allowedTools: ["execute"]'),
        },
      ],
    });
  });

  it.each([
    ['the mode', { approvalMode: 'yolo' }],
    ['a rule for the kind', { allowedTools: ['execute'] }],
    ['the caller', { onPermission: () => 'allow_once' }],
  ] as const)('is given by %s', async (_who, config) => {
    expect(await open(config).run('shell ls')).toMatchObject({ text: 'ran', deniedTools: [] });
  });

  it('is refused by a rule that forbids, in every mode, and the file is not written', async () => {
    const { run, workingDir } = open({ approvalMode: 'yolo', deniedTools: ['edit'] });
    expect(await run('write a.txt x')).toMatchObject({
      text: 'then not',
      files: [],
      deniedTools: [{ reason: 'permission' }],
    });
    expect(existsSync(join(workingDir, 'a.txt'))).toBe(false);
  });

  it('that nobody gives ends the run where the caller wants that', async () => {
    const { run, fail } = open({ unattended: 'fail' });
    expect(await fail('shell ls')).toMatchObject({
      code: 'TOOL_FAILED',
      hint: expect.stringContaining('allowedTools'),
      partial: { deniedTools: [{ tool: 'Run it' }] },
    });
    expect(await run('write a.txt x')).toMatchObject({ text: 'written' });
  });

  it('that the caller does not decide in time is refused', async () => {
    const config = { onPermission: () => new Promise<never>(() => {}), permissionTimeout: 0.05 };
    expect(await open(config).run('shell ls')).toMatchObject({ text: 'did not run' });
  });

  it('may be the moment at which the caller ends it all', async () => {
    expect(await open({ onPermission: () => 'cancel' }).fail('shell ls')).toMatchObject({
      code: 'CANCELLED',
    });
  });

  it('that is still open when the agent ends its turn is no cancel of ours', async () => {
    const { run } = open({ onPermission: () => new Promise<never>(() => {}) });
    expect(await run('ask-and-end')).toMatchObject({ text: 'never mind' });
  });
});

describe('files through us', () => {
  it('are not offered unless the caller wants it', async () => {
    const { run, workingDir } = open();
    expect((await run(`read ${join(workingDir, 'a')}`)).text).toContain('error');
    expect((await run('unheard')).text).toContain('error');
  });

  it('are read and written, and may be refused one by one', async () => {
    const refused: string[] = [];
    const beforeWrite = ({ path }: { path: string }) => path !== 'no.txt' || refused.push(path) < 0;
    const { run, workingDir } = open({ clientFiles: { beforeWrite } });
    const [yes, no] = [join(workingDir, 'yes.txt'), join(workingDir, 'no.txt')];
    await run(`put ${yes} some words`);
    expect((await run(`read ${yes}`)).text).toBe('{"content":"some words"}');
    expect((await run(`put ${no} x`)).text).toContain('Writing no.txt was refused');
    expect((await run('read /etc/passwd')).text).toContain('outside of the workspace');
    expect([refused, existsSync(no)]).toEqual([['no.txt'], false]);
  });
});

describe('commands through us', () => {
  it('need the same permission as those of the agent', async () => {
    const { run } = open({ clientTerminals: true });
    expect((await run('terminal touch made')).text).toContain('not allowed');
    const allowed = await run('terminal echo $((1 + 1))', { allowedTools: ['execute'] });
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
    const pid = (await one.run('pid')).text;
    await one.provider.dispose();
    expect((await two.run('pid')).text).toBe(pid);
    expect(pool.stats()).toMatchObject({ started: 1 });
  });

  it('refuses a pool that another copy of the package has made', async () => {
    const pool = { kind: 'agent-pool', stats: () => ({}), dispose: async () => {} };
    const config = { command: program('acp-agent.mjs'), pool };
    const provider = new AcpAgentProvider(config);
    expect(await failureOf(() => provider.generate('x'))).toMatchObject({ code: 'INVALID_CONFIG' });
  });

  it('works again after it was disposed of', async () => {
    const { provider, run } = open();
    await run('say x');
    await provider.dispose();
    expect((await run('say y')).text).toBe('y');
  });

  it('leaves what is in the folder alone', async () => {
    const { run, workingDir } = open({ approvalMode: 'yolo' });
    writeFileSync(join(workingDir, 'mine.txt'), 'mine');
    expect((await run('say x')).files).toEqual([]);
    expect(readFileSync(join(workingDir, 'mine.txt'), 'utf8')).toBe('mine');
  });
});
