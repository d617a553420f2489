import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { AgentPool } from '../../src/agents/acp/agent-pool.js';
import type { AgentEvent } from '../../src/api/agent-event.js';
import { closeIdleReaper } from '../../src/base/process/reaper.js';
import { GeminiCliProvider } from '../../src/step/gemini-cli-provider.js';
import { failureOf, isAlive, makeFolder, until } from '../fixtures/cli/support.js';
import { openAgent } from './open-agent.js';

afterAll(closeIdleReaper);

const line = (event: object): string => `printf '%s\\n' '${JSON.stringify(event)}'`;
const INIT = line({ type: 'init', session_id: 's1', model: 'tiny' });
const SAY = (text: string) =>
  line({ type: 'message', role: 'assistant', content: text, delta: true });
const RESULT = line({
  type: 'result',
  status: 'success',
  stats: { total_tokens: 5, input_tokens: 4, output_tokens: 1, models: { tiny: {} } },
});

/** Creates a CLI that runs the first script at first, and the second when its session is resumed. */
function open(
  first: string,
  resumed: string,
  config: Record<string, unknown> = {},
  version = '0.61.0',
) {
  const text = `#!/bin/sh
[ "$1" = --version ] && echo ${version} && exit
echo "$@" >> calls.log
${INIT}
case "$*" in *--resume=s1*) ${resumed} ;; *) ${first} ;; esac
${RESULT}
`;
  const workingDir = makeFolder();
  const provider = new GeminiCliProvider({
    cliPath: join(makeFolder({ 'gemini*': text }), 'gemini'),
    workingDir,
    env: { GEMINI_CLI_HOME: makeFolder() },
    ...config,
  });
  onTestFinished(() => provider.dispose());
  return { provider, workingDir };
}

describe('an expectation of a step', () => {
  it('is checked only after a successful turn', async () => {
    const expects = { command: 'touch checked' };
    const good = open(SAY('ok'), '', { expects });
    expect(await good.provider.generate('go')).toMatchObject({ text: 'ok', repairs: 0 });
    expect(existsSync(join(good.workingDir, 'checked'))).toBe(true);
    const bad = open('exit 41', '', { expects, repair: 3 });
    expect(await failureOf(() => bad.provider.generate('go'))).toMatchObject({ code: 'AUTH' });
    expect(existsSync(join(bad.workingDir, 'checked'))).toBe(false);
  });

  it('returns data of the type of its schema', async () => {
    const { provider } = open(SAY('{"size": 3}'), '');
    const json = z.object({ size: z.number() });
    const { data } = await provider.generate('go', {}, { expects: { json } });
    expect(data.size + 1).toBe(4);
  });

  it('is repaired at most as often as `repair` allows', async () => {
    const { provider, workingDir } = open(SAY('first'), SAY('again'), {
      expects: { contains: 'never' },
      repair: 2,
    });
    expect(await failureOf(() => provider.generate('go'))).toMatchObject({
      code: 'EXPECTATION_FAILED',
      message: 'Expectations failed after 2 repairs: The answer does not contain "never"',
      partial: { text: 'first\n\nagain\n\nagain', repairs: 2, usage: { total: 15 } },
    });
    const calls = readFileSync(join(workingDir, 'calls.log'), 'utf8').trim().split('\n');
    expect(calls.map((call) => call.includes('--resume=s1'))).toEqual([false, true, true]);
  });

  it('is repaired in a session whose id was chosen', async () => {
    const { provider, workingDir } = open(SAY('a'), SAY('b'), {
      expects: { contains: 'b' },
      repair: 1,
      sessionId: 's1',
    });
    expect(await provider.generate('go')).toMatchObject({ text: 'a\n\nb' });
    const calls = readFileSync(join(workingDir, 'calls.log'), 'utf8').trim().split('\n');
    expect(calls[0]).toContain('--session-id=s1');
    expect(calls[1]).not.toContain('--session-id');
  });

  it('cannot be repaired by a CLI that cannot resume', async () => {
    const config = { expects: { contains: 'b' }, repair: 1 };
    const { provider } = open(SAY('a'), SAY('b'), config, '0.12.0');
    expect(await failureOf(() => provider.generate('go'))).toMatchObject({
      code: 'EXPECTATION_FAILED',
      hint: expect.stringContaining('No further repair was made'),
      partial: { text: 'a', repairs: 0 },
    });
  });

  it('is reported with the failure of its repair and the missing items', async () => {
    const { provider } = open(SAY('a'), `${SAY('b')}; kill -KILL $$`, {
      expects: { contains: 'c' },
      repair: 1,
    });
    expect(await failureOf(() => provider.generate('go'))).toMatchObject({
      code: 'INCOMPLETE',
      missing: [{ kind: 'contains' }],
      partial: { text: 'a\n\nb', repairs: 1 },
    });
  });

  it('keeps the artifacts of every turn if configured', async () => {
    const { provider } = open(SAY('a'), SAY('b'), {
      expects: { contains: 'b' },
      repair: 1,
      keepArtifacts: makeFolder(),
    });
    const { artifactsDir = '' } = await provider.generate('go');
    expect(readFileSync(join(artifactsDir, 'stdin.txt'), 'utf8')).toBe('go');
    const repair = readFileSync(join(artifactsDir, 'repair-1-stdin.txt'), 'utf8');
    expect(repair).toContain('The answer does not contain "b"');
    expect(readdirSync(artifactsDir)).toContain('repair-1-stdout.ndjson');
    const call: unknown = JSON.parse(readFileSync(join(artifactsDir, 'call.json'), 'utf8'));
    expect(call).toMatchObject({ exitCode: 0, repairs: [{ exitCode: 0 }] });
  });

  it('is not violated by files that its own commands write', async () => {
    const check = `test -f fine && exit 0; echo x > trace.log; exit 1`;
    const { provider } = open('touch a.txt', 'touch fine', {
      expects: {
        command: { command: 'sh', args: ['-c', check] },
        noChangesOutside: ['a.txt', 'fine', 'calls.log'],
      },
      repair: 1,
      workspaceScan: 'always',
    });
    const { files } = await provider.generate('go');
    expect(files.map(({ path }) => path)).toEqual(['a.txt', 'calls.log', 'fine']);
  });

  it.each(['headless', 'acp'] as const)(
    'stops its running command over %s when the step is cancelled',
    async (transport) => {
      const expects = { command: { command: 'sh', args: ['-c', 'echo $$ > pid; exec sleep 60'] } };
      const { provider, workingDir } =
        transport === 'acp' ? openAgent({ expects }) : open(SAY('done'), '', { expects });
      const controller = new AbortController();
      const running = failureOf(() =>
        provider.generate('say done', {}, { signal: controller.signal }),
      );
      const pidFile = join(workingDir, 'pid');
      const readPid = () => (existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0);
      await until(() => readPid() > 0);
      controller.abort();
      expect(await running).toMatchObject({ code: 'CANCELLED', partial: { text: 'done' } });
      expect(isAlive(readPid())).toBe(false);
    },
  );

  it('has no more time than the timeout of the step', async () => {
    const { provider } = open(SAY('done'), '', { expects: { command: 'sleep 60' }, timeout: 2 });
    expect(await failureOf(() => provider.generate('go'))).toMatchObject({
      code: 'TIMEOUT',
      phase: 'total',
      message: 'The step did not finish within 2 s',
      partial: { text: 'done' },
    });
  });
});

describe('an expectation of a step of another agent', () => {
  it('is repaired in the session that is still open', async () => {
    const pool = new AgentPool();
    onTestFinished(() => pool.dispose());
    const { provider, workingDir } = openAgent({ pool, approvalMode: 'yolo' });
    const events: AgentEvent[] = [];
    const options = { expects: { files: 'made.txt' }, repair: 1 };
    for await (const event of provider.stream('later write made.txt hello', {}, options)) {
      events.push(event);
      if (event.type === 'turn-complete') expect(pool.stats()).toMatchObject({ running: 0 });
    }
    expect(events.filter(({ type }) => type === 'session-init')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({
      result: {
        text: 'later\n\nwritten',
        files: [{ path: 'made.txt', kind: 'created', confirmed: true }],
        repairs: 1,
        usage: { total: 20, toolCalls: 1 },
      },
    });
    expect(readFileSync(join(workingDir, 'made.txt'), 'utf8')).toBe('hello');
    expect(pool.stats()).toMatchObject({ started: 1, sessions: 1 });
  });

  it('releases its pool slot after success, failure and cancel', async () => {
    const pool = new AgentPool();
    onTestFinished(() => pool.dispose());
    const { generate, fail, provider } = openAgent({ pool, expects: { files: 'x' }, repair: 1 });
    expect(await fail('say a')).toMatchObject({ code: 'EXPECTATION_FAILED' });
    expect(await fail('later stop refusal')).toMatchObject({
      code: 'CONTENT_BLOCKED',
      missing: [{ kind: 'files' }],
      partial: { text: 'later\n\nso far', repairs: 1 },
    });
    expect(await fail('later refuse 429 too many')).toMatchObject({ code: 'RATE_LIMITED' });
    expect(await fail('later die-late')).toMatchObject({ code: 'INCOMPLETE' });
    expect(await generate('write x y')).toMatchObject({ text: 'written', repairs: 0 });
    for await (const event of provider.stream('later hang')) {
      if (event.type === 'session-status') break;
    }
    expect(pool.stats()).toMatchObject({ running: 0, waiting: 0 });
  });

  it('cannot be repaired if the process has exited during the check', async () => {
    const { fail } = openAgent({ repair: 1 });
    const script = 'kill -KILL "$(cat agent-pid)"; sleep 0.5; exit 1';
    const expects = { command: { command: 'sh', args: ['-c', script] } };
    expect(await fail('mark', { expects })).toMatchObject({
      code: 'EXPECTATION_FAILED',
      hint: expect.stringContaining('No further repair was made'),
      partial: { text: 'marked', repairs: 0 },
    });
  });
});
