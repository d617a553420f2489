import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { AgentPool } from '../../../src/agents/acp/agent-pool.js';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import { closeIdleReaper } from '../../../src/base/process/reaper.js';
import { failureOf, isAlive, makeFolder, until } from '../../fixtures/cli/support.js';
import { openAgent as open } from '../../step/open-agent.js';

afterAll(closeIdleReaper);

/** Takes events until one of this type has come. */
async function takeUntil(events: AsyncIterator<AgentEvent>, type: AgentEvent['type']) {
  const seen: AgentEvent[] = [];
  for (let next = await events.next(); !next.done; next = await events.next()) {
    seen.push(next.value);
    if (next.value.type === type) break;
  }
  return seen;
}

describe('a turn that fails', () => {
  let agent: ReturnType<typeof open>;
  beforeAll(() => {
    const ends: (() => void | Promise<void>)[] = [];
    agent = open({}, '', (end) => void ends.unshift(end));
    return async () => {
      for (const end of ends) await end();
    };
  });

  it.each([
    ['silent', 'EMPTY_RESPONSE'],
    ['stop max_tokens', 'CONTEXT_OVERFLOW'],
    ['stop max_turn_requests', 'TURN_LIMIT'],
    ['stop refusal', 'CONTENT_BLOCKED'],
    ['refuse 429 too many', 'RATE_LIMITED'],
    ['refuse -32000 log in', 'AUTH'],
    ['refuse -32603 oops', 'UNKNOWN'],
  ])('because of "%s" is %s, and the process serves the next', async (prompt, code) => {
    const { text: pid } = await agent.generate('pid');
    expect(await agent.fail(prompt)).toMatchObject({ code });
    expect((await agent.generate('pid')).text).toBe(pid);
  });
});

describe('a step that fails', () => {
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
    const { generate, fail } = open({ pool });
    const [failure, beside] = await Promise.all([fail('die-late'), generate('say beside')]);
    expect([failure, beside]).toMatchObject([{ code: 'INCOMPLETE' }, { text: 'beside' }]);
    expect((await generate('say after')).text).toBe('after');
  });

  it.each([41, 1])('because the agent exits at once with %i is PROTOCOL', async (exitCode) => {
    const { fail } = open({}, `exit ${exitCode} Usage: gemini [options]`);
    expect(await fail('say x')).toMatchObject({
      code: 'PROTOCOL',
      exitCode,
      message: `Tiny exited with ${exitCode} before it had introduced itself`,
      hint: expect.stringContaining('start Tiny as an ACP agent'),
      stderrTail: expect.stringContaining('Usage: gemini'),
    });
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
    expect((await open({ authMethod: 'right' }).generate('say in')).text).toBe('in');
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
    const { generate } = open({ pool });
    const file = join(makeFolder(), 'died');
    expect(await generate(`die-once ${file}`)).toMatchObject({ text: 'second life', warnings: [] });
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
    const file = join(makeFolder(), 'hung');
    const { generate, fail } = open({ startTimeout: 0.5 }, `hang-on-new ${file}`);
    // The process itself has started: only the session does not come.
    expect(await fail('say x')).toMatchObject({ code: 'TIMEOUT', phase: 'start' });
    expect((await generate('say next', { startTimeout: 10 })).text).toBe('next');
  });

  it.each([
    ['idle', { idleTimeout: 0.2 }],
    ['total', { timeout: 0.4 }],
  ])('is ended by the limit "%s", and the process is kept', async (phase, limits) => {
    const { generate, fail } = open();
    const pid = (await generate('pid')).text;
    expect(await fail('hang', limits)).toMatchObject({
      code: 'TIMEOUT',
      phase,
      partial: { text: 'working' },
    });
    expect((await generate('pid')).text).toBe(pid);
  });
});

describe('cancelling a step', () => {
  it('ends its turn and keeps the process', async () => {
    const { provider, generate } = open();
    const pid = (await generate('pid')).text;
    const cancel = new AbortController();
    const events = provider.stream('hang', {}, { signal: cancel.signal });
    await takeUntil(events, 'text-delta');
    cancel.abort();
    expect(await failureOf(() => takeUntil(events, 'unknown'))).toMatchObject({
      code: 'CANCELLED',
      partial: { text: 'working' },
    });
    expect((await generate('pid')).text).toBe(pid);
  });

  it('answers an open question first, for the agent hears nothing before', async () => {
    const cancel = new AbortController();
    const { fail, generate } = open({
      onPermission: () => {
        cancel.abort();
        return new Promise(() => {});
      },
    });
    const pid = (await generate('pid')).text;
    expect(await fail('shell ls', { signal: cancel.signal })).toMatchObject({
      code: 'CANCELLED',
      partial: { text: 'did not run' },
    });
    expect((await generate('pid')).text).toBe(pid);
  });

  it('while the agent starts does not harm another who waits for the same process', async () => {
    const { generate, fail } = open({}, 'slow 300');
    const cancel = new AbortController();
    const beside = generate('say unharmed');
    const cancelled = fail('say x', { signal: cancel.signal });
    setTimeout(() => cancel.abort(), 100);
    expect(await cancelled).toMatchObject({ code: 'CANCELLED' });
    expect(await beside).toMatchObject({ text: 'unharmed' });
  });

  it('by leaving the loop ends the turn as well', async () => {
    const pool = new AgentPool();
    onTestFinished(() => pool.dispose());
    const { provider, generate } = open({ pool });
    for await (const event of provider.stream('hang')) if (event.type === 'text-delta') break;
    expect(pool.stats()).toMatchObject({ running: 0, processes: 1 });
    expect((await generate('say next')).text).toBe('next');
  });
});

// They wait for seconds, and for nothing but the clock: so they wait together.
describe.concurrent('an agent', () => {
  it('that does not listen is ended, and what else runs there with it', async ({
    onTestFinished: onFinished,
  }) => {
    const { generate, fail } = open({}, '', onFinished);
    const pid = Number((await generate('pid')).text);
    const beside = failureOf(() => generate('hang'));
    expect(await fail('deaf', { timeout: 0.5 })).toMatchObject({ code: 'TIMEOUT' });
    expect(isAlive(pid)).toBe(false);
    expect(await beside).toMatchObject({ code: 'INCOMPLETE', partial: { text: 'working' } });
    expect((await generate('say again')).text).toBe('again');
  });

  it('that will not go does not outlive its provider', async ({ onTestFinished: onFinished }) => {
    const { provider, generate } = open({}, 'stubborn', onFinished);
    const pid = Number((await generate('pid')).text);
    const hanging = failureOf(() => generate('hang'));
    await until(() => isAlive(pid));
    await provider.dispose();
    expect(isAlive(pid)).toBe(false);
    expect(await hanging).toMatchObject({ code: 'CANCELLED' });
  });

  it('that has closed its output and lives on fails the step', async ({
    onTestFinished: onFinished,
  }) => {
    expect(await open({}, '', onFinished).fail('close')).toMatchObject({
      code: 'INCOMPLETE',
      partial: { text: 'half' },
    });
  });
});

describe('a permission', () => {
  it('that no rule gives is refused and listed, and the run goes on', async () => {
    expect(await open().generate('shell ls')).toMatchObject({
      text: 'did not run',
      deniedTools: [
        {
          tool: 'execute',
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
    expect(await open(config).generate('shell ls')).toMatchObject({ text: 'ran', deniedTools: [] });
  });

  it('is refused by a rule that forbids, in every mode, and the file is not written', async () => {
    const { generate, workingDir } = open({ approvalMode: 'yolo', deniedTools: ['edit'] });
    expect(await generate('write a.txt x')).toMatchObject({
      text: 'then not',
      files: [],
      deniedTools: [{ reason: 'permission' }],
    });
    expect(existsSync(join(workingDir, 'a.txt'))).toBe(false);
  });

  it('is refused by a rule for the shell, whatever the agent calls its own', async () => {
    const { generate } = open({ approvalMode: 'yolo', deniedTools: ['run_shell_command'] });
    expect(await generate('shell ls')).toMatchObject({
      text: 'did not run',
      deniedTools: [{ tool: 'execute', hint: 'Remove run_shell_command from deniedTools.' }],
    });
  });

  it('that nobody gives ends the run where the caller wants that', async () => {
    const { generate, fail } = open({ unattended: 'fail' });
    expect(await fail('shell ls')).toMatchObject({
      code: 'TOOL_FAILED',
      hint: expect.stringContaining('allowedTools'),
      partial: { deniedTools: [{ tool: 'execute' }] },
    });
    expect(await generate('write a.txt x')).toMatchObject({ text: 'written' });
  });

  it('that the caller does not decide in time is refused', async () => {
    const config = { onPermission: () => new Promise<never>(() => {}), permissionTimeout: 0.05 };
    expect(await open(config).generate('shell ls')).toMatchObject({ text: 'did not run' });
  });

  it('may be the moment at which the caller ends it all', async () => {
    expect(await open({ onPermission: () => 'cancel' }).fail('shell ls')).toMatchObject({
      code: 'CANCELLED',
    });
  });

  it('that is still open when the agent ends its turn is no cancel of ours', async () => {
    const { generate } = open({ onPermission: () => new Promise<never>(() => {}) });
    expect(await generate('ask-and-end')).toMatchObject({ text: 'never mind' });
  });
});
