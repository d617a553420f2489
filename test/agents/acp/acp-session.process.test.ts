import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { AgentPool } from '../../../src/agents/acp/agent-pool.js';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import { closeIdleReaper } from '../../../src/base/process/reaper.js';
import { failureOf, isAlive, makeFolder, until } from '../../fixtures/cli/support.js';
import { openAgent as open } from '../../step/open-agent.js';

afterAll(closeIdleReaper);

/** Takes events until an event of this type has come. */
async function takeUntil(events: AsyncIterator<AgentEvent>, type: AgentEvent['type']) {
  const seen: AgentEvent[] = [];
  for (let next = await events.next(); !next.done; next = await events.next()) {
    seen.push(next.value);
    if (next.value.type === type) break;
  }
  return seen;
}

describe('a failed turn', () => {
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
  ])('after "%s" has the code %s, and its process serves the next turn', async (prompt, code) => {
    const { text: pid } = await agent.generate('pid');
    expect(await agent.fail(prompt)).toMatchObject({ code });
    expect((await agent.generate('pid')).text).toBe(pid);
  });
});

describe('a failed step', () => {
  it('keeps its partial output in the error', async () => {
    expect(await open().fail('stop refusal')).toMatchObject({ partial: { text: 'so far' } });
    expect(await open().fail('die-late')).toMatchObject({
      code: 'INCOMPLETE',
      retryable: true,
      signal: 'SIGKILL',
      message: expect.stringMatching(
        /^Tiny was killed by SIGKILL before its result, probably because memory/,
      ),
      stderrTail: expect.stringContaining('out of luck'),
      partial: { text: 'half an ans' },
    });
  });

  it('harms neither the next step nor a parallel step if its process exited', async () => {
    const pool = { maxProcesses: 2, sessionsPerProcess: 1 };
    const { generate, fail } = open({ pool });
    const [failure, beside] = await Promise.all([fail('die-late'), generate('say beside')]);
    expect([failure, beside]).toMatchObject([{ code: 'INCOMPLETE' }, { text: 'beside' }]);
    expect((await generate('say after')).text).toBe('after');
  });

  it.each([41, 1])('has the code PROTOCOL if the agent exits at once with %i', async (exitCode) => {
    const { fail } = open({}, `exit ${exitCode} Usage: gemini [options]`);
    expect(await fail('say x')).toMatchObject({
      code: 'PROTOCOL',
      exitCode,
      message: `Tiny exited with ${exitCode} before the ACP handshake was complete`,
      hint: expect.stringContaining('start Tiny as an ACP agent'),
      stderrTail: expect.stringContaining('Usage: gemini'),
    });
  });

  it('has the code CLI_NOT_FOUND if the agent cannot be started', async () => {
    const command = join(makeFolder({ 'agent*': '#!/no/such/interpreter\n' }), 'agent');
    expect(await open({ command }).fail('say x')).toMatchObject({ code: 'CLI_NOT_FOUND' });
    const { provider, fail } = open({ command: join(makeFolder(), 'none') });
    expect(await fail('say x')).toMatchObject({ code: 'CLI_NOT_FOUND' });
    expect(await failureOf(() => provider.validate())).toMatchObject({ code: 'CLI_NOT_FOUND' });
  });

  it('has the code AUTH if the agent requires a login', async () => {
    expect(await open({}, 'login').fail('say x')).toMatchObject({ code: 'AUTH' });
    expect(await open({ authMethod: 'wrong' }).fail('say x')).toMatchObject({ code: 'AUTH' });
    expect((await open({ authMethod: 'right' }).generate('say in')).text).toBe('in');
  });

  it('ends although a child that the agent left behind holds stdout open', async () => {
    const error = await open().fail('orphan');
    expect(error).toMatchObject({ code: 'INCOMPLETE', exitCode: 3 });
    const { partial }: { partial?: { text?: string } } = { ...Object(error) };
    await until(() => !isAlive(Number(partial?.text)));
  });
});

describe('a step whose prompt no process has accepted', () => {
  it('moves to another process without a warning', async () => {
    const pool = new AgentPool();
    onTestFinished(() => pool.dispose());
    const { generate } = open({ pool });
    const file = join(makeFolder(), 'died');
    expect(await generate(`die-once ${file}`)).toMatchObject({ text: 'second life', warnings: [] });
    expect(pool.stats()).toMatchObject({ started: 2 });
  });

  it('moves although the agent has told about its session since', async () => {
    const { generate } = open();
    const file = join(makeFolder(), 'died');
    expect(await generate(`die-unread ${file}`)).toMatchObject({ text: 'second life' });
  });

  it('fails after three moves', async () => {
    const pool = new AgentPool();
    onTestFinished(() => pool.dispose());
    expect(await open({ pool }).fail('die')).toMatchObject({ code: 'INCOMPLETE', exitCode: 3 });
    expect(pool.stats()).toMatchObject({ started: 4, processes: 0, running: 0 });
  });

  it('fails if every process exits while it creates the session', async () => {
    expect(await open({}, 'die-on-new').fail('say x')).toMatchObject({ code: 'INCOMPLETE' });
  });
});

describe('a step that takes too long', () => {
  it('is ended by the start timeout, together with its starting process', async () => {
    const pool = new AgentPool();
    onTestFinished(() => pool.dispose());
    const { fail } = open({ pool, startTimeout: 0.15 }, 'mute');
    expect(await fail('say x')).toMatchObject({ code: 'TIMEOUT', phase: 'start', retryable: true });
    expect(pool.stats()).toMatchObject({ processes: 0, running: 0 });
  });

  it('is ended by the start timeout while its session is created, and later steps still run', async () => {
    const file = join(makeFolder(), 'hung');
    const { generate, fail } = open({ startTimeout: 0.5 }, `hang-on-new ${file}`);
    // The process has started, but its first session is never created.
    expect(await fail('say x')).toMatchObject({ code: 'TIMEOUT', phase: 'start' });
    expect((await generate('say next', { startTimeout: 10 })).text).toBe('next');
  });

  it.each([
    ['idle', { idleTimeout: 0.2 }],
    ['total', { timeout: 0.4 }],
  ])('is ended by the "%s" timeout, and its process is kept', async (phase, limits) => {
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

describe('a retry notice of the agent', () => {
  const NOTICE = 'Attempt 1 failed with status 429. Retrying with backoff...';

  it('is an event of the step that has the process to itself', async () => {
    const events = await takeUntil(open().provider.stream(`brood ${NOTICE}`), 'unknown');
    const [status, ...others] = events.filter(({ type }) => type === 'session-status');
    expect(others).toEqual([]);
    expect(status).toMatchObject({ status: 'retrying', httpStatus: 429, message: NOTICE });
    expect(status).not.toHaveProperty('ofProcess');
  });

  it('is told to all steps of a process that wait for the model, and is no remark on any of them', async () => {
    const { provider } = open({ pool: { maxProcesses: 1 } });
    const prompts = [`brood ${NOTICE}`, 'brood something else'];
    const turns = await Promise.all(
      prompts.map((prompt) => takeUntil(provider.stream(prompt), 'unknown')),
    );
    for (const events of turns) {
      const message = `One of the steps of this process: ${NOTICE}`;
      expect(events.filter(({ type }) => type === 'session-status')).toMatchObject([
        { status: 'retrying', httpStatus: 429, ofProcess: true, message },
      ]);
      expect(events.at(-1)).toMatchObject({ subtype: 'success', result: { warnings: [] } });
    }
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

  it('answers an open permission request first, because the agent waits for the answer', async () => {
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

  it('does not harm another step that waits for the same starting process', async () => {
    const { generate, fail } = open({}, 'slow 300');
    const cancel = new AbortController();
    const beside = generate('say unharmed');
    const cancelled = fail('say x', { signal: cancel.signal });
    setTimeout(() => cancel.abort(), 100);
    expect(await cancelled).toMatchObject({ code: 'CANCELLED' });
    expect(await beside).toMatchObject({ text: 'unharmed' });
  });

  it('by leaving the loop ends the turn', async () => {
    const pool = new AgentPool();
    onTestFinished(() => pool.dispose());
    const { provider, generate } = open({ pool });
    for await (const event of provider.stream('hang')) if (event.type === 'text-delta') break;
    expect(pool.stats()).toMatchObject({ running: 0, processes: 1 });
    expect((await generate('say next')).text).toBe('next');
  });
});

// These tests mostly wait for timers, so they run concurrently.
describe.concurrent('an agent', () => {
  it('that ignores a cancel is ended, and other steps on its process fail', async ({
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

  it('that ignores SIGTERM does not outlive its provider', async ({
    onTestFinished: onFinished,
  }) => {
    const { provider, generate } = open({}, 'stubborn', onFinished);
    const pid = Number((await generate('pid')).text);
    const hanging = failureOf(() => generate('hang'));
    await until(() => isAlive(pid));
    await provider.dispose();
    expect(isAlive(pid)).toBe(false);
    expect(await hanging).toMatchObject({ code: 'CANCELLED' });
  });

  it('that closes its stdout without an exit fails the step', async ({
    onTestFinished: onFinished,
  }) => {
    expect(await open({}, '', onFinished).fail('close')).toMatchObject({
      code: 'INCOMPLETE',
      partial: { text: 'half' },
    });
  });
});

describe('a permission', () => {
  it('that no rule gives is refused and listed, and the turn continues', async () => {
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

  it('is refused by deniedTools in every mode, and the file is not written', async () => {
    const { generate, workingDir } = open({ approvalMode: 'yolo', deniedTools: ['edit'] });
    expect(await generate('write a.txt x')).toMatchObject({
      text: 'then not',
      files: [],
      deniedTools: [{ reason: 'permission' }],
    });
    expect(existsSync(join(workingDir, 'a.txt'))).toBe(false);
  });

  it('is refused by a rule for run_shell_command, whatever name the shell of the agent has', async () => {
    const { generate } = open({ approvalMode: 'yolo', deniedTools: ['run_shell_command'] });
    expect(await generate('shell ls')).toMatchObject({
      text: 'did not run',
      deniedTools: [{ tool: 'execute', hint: 'Remove run_shell_command from deniedTools.' }],
    });
  });

  it('that no rule gives fails the step if unattended is "fail"', async () => {
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

  it('that the caller answers with cancel cancels the step', async () => {
    expect(await open({ onPermission: () => 'cancel' }).fail('shell ls')).toMatchObject({
      code: 'CANCELLED',
    });
  });

  it('that is still open when the agent ends its turn does not cancel the step', async () => {
    const { generate } = open({ onPermission: () => new Promise<never>(() => {}) });
    expect(await generate('ask-and-end')).toMatchObject({ text: 'never mind' });
  });
});
