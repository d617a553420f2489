import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentEvent } from 'gemini-cli-provider';
import { describe, expect, it } from 'vitest';
import { gateCases } from './gate-cases.js';
import { findLabProcesses, type LabOptions, openLab, read, shareLab } from './support.js';
import { running, shell, write, writing } from './tool-calls.js';
import { keepWarm } from './warm-cli.js';

/** Answer of five megabytes. The lines are numbered, because the CLI stops a model that repeats itself. */
const BIG = Array.from({ length: 110_000 }, (_, index) => {
  return `Line ${index} of an answer that is five megabytes long.\n`;
}).join('');
const MIB = 1024 * 1024;
const hash = (content: string) => createHash('sha256').update(content).digest('hex');
const KEY_INVALID = {
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason: 'API_KEY_INVALID',
  domain: 'googleapis.com',
};
const QUOTA_PER_DAY = {
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel' }],
};

const TRANSPORTS = ['headless', 'acp'] as const;

describe.each(TRANSPORTS)('a step over %s', (transport) => {
  const openCold = (script: Parameters<typeof openLab>[0], options: LabOptions = {}) => {
    return openLab(script, { ...options, config: { transport, ...options.config } });
  };
  const warmCli = transport === 'acp' ? keepWarm() : undefined;
  const open: typeof openCold = (script, options) => openCold(script, { ...options, warmCli });
  /** Expected exit code. Undefined over ACP, because a warm process does not exit. */
  const exitCode = (code: number) => (transport === 'headless' ? code : undefined);

  it('counts thoughts and cached tokens, and estimates the cost with them', async () => {
    const usage = { prompt: 1000, cached: 400, output: 20, thoughts: 500 };
    const lab = await open([{ thoughts: ['**Plan** I think.'], text: 'Done.', usage }]);
    const { usage: counted, cost } = await lab.run();
    const tokens = { total: 1520, input: 1000, cached: 400, output: 20, thoughts: 500, tool: 0 };
    expect(counted).toMatchObject({ ...tokens, models: { 'gemini-2.5-flash': tokens } });
    expect(cost?.usd).toBeCloseTo((600 * 0.3 + 400 * 0.03 + 520 * 2.5) / 1e6, 9);
  });

  it('streams text as it arrives, after session-init and before turn-complete', async () => {
    const { provider } = await open([{ text: ['one ', 'two ', 'three'], chunkDelayMs: 50 }]);
    const events: AgentEvent[] = [];
    for await (const event of provider.stream('count')) events.push(event);
    const [first, last] = [events[0], events.at(-1)];
    expect(first).toMatchObject({ type: 'session-init', model: 'gemini-2.5-flash' });
    const deltas = events.filter(({ type }) => type === 'text-delta');
    expect(deltas.map((event) => 'text' in event && event.text)).toEqual(['one ', 'two ', 'three']);
    expect(last).toMatchObject({
      type: 'turn-complete',
      subtype: 'success',
      result: { text: 'one two three', transport, recovered: false, usage: { total: 110 } },
    });
  });

  it('writes and replaces files, and the manifest has them with their diffs', async () => {
    const lab = await open(
      [
        writing('new.txt', 'new\n'),
        {
          toolCalls: [
            {
              name: 'replace',
              args: { file_path: 'old.txt', old_string: 'b', new_string: 'x', instruction: 'do' },
            },
          ],
        },
        { text: 'Done.' },
      ],
      { files: { 'old.txt': 'a\r\nb\r\n' } },
    );
    const { files, usage } = await lab.run();
    expect(files).toMatchObject([
      {
        path: 'new.txt',
        kind: 'created',
        tools: ['write_file'],
        confirmed: true,
        diff: expect.stringContaining('+new'),
      },
      {
        path: 'old.txt',
        kind: 'modified',
        tools: ['replace'],
        confirmed: true,
        sha256After: hash('a\r\nx\r\n'),
        diff: expect.stringContaining('+x'),
      },
    ]);
    // The session file does not record line ends. If the provider read the file too late, the hash is missing, never wrong.
    expect([hash('a\r\nb\r\n'), undefined]).toContain(files[1]?.sha256Before);
    expect(read(lab.workspace, 'old.txt')).toBe('a\r\nx\r\n');
    expect(usage).toMatchObject({ total: 330, toolCalls: 2 });
  });

  it('continues after a denied tool, and names the setting that allows the tool', async () => {
    const lab = await open([running('touch made.txt'), { text: 'I could not.' }]);
    const { text, deniedTools, files } = await lab.run();
    expect(text).toBe('I could not.');
    expect(files).toEqual([]);
    expect(deniedTools).toMatchObject([
      {
        tool: 'run_shell_command',
        hint: expect.stringContaining('run_shell_command'),
      },
    ]);
  });

  it('runs a command that a rule allows, and no other', async () => {
    const lab = await open(
      [
        running('touch made.txt'),
        {
          toolCalls: [shell('touch b.txt && rm made.txt')],
        },
        { text: 'Done.' },
      ],
      { config: { transport, allowedTools: ['run_shell_command(touch made.txt)'] } },
    );
    const { files, deniedTools } = await lab.run();
    expect(files).toMatchObject([{ path: 'made.txt', tools: ['run_shell_command'] }]);
    expect(deniedTools).toHaveLength(1);
  });

  it('that is cancelled has the text so far in partial, and leaves no process behind', async () => {
    const lab = await openCold([{ text: ['begun'], endless: 'stall' }]);
    const controller = new AbortController();
    const events: AgentEvent[] = [];
    let failure: unknown;
    try {
      for await (const event of lab.provider.stream('go', {}, { signal: controller.signal })) {
        events.push(event);
        if (event.type === 'text-delta') controller.abort();
      }
    } catch (error) {
      failure = error;
    }
    expect(failure).toMatchObject({ code: 'CANCELLED', partial: { text: 'begun', transport } });
    await lab.provider.dispose();
    expect(findLabProcesses(lab)).toEqual([]);
  });

  it('ends with TIMEOUT when the agent does not start', async () => {
    const lab = await openCold([{ text: 'never' }], { config: { startTimeout: 0.05 } });
    expect(await lab.fail()).toMatchObject({ code: 'TIMEOUT', phase: 'start' });
    expect(lab.model.requests).toEqual([]);
    await lab.provider.dispose();
    expect(findLabProcesses(lab)).toEqual([]);
  });

  it('is INCOMPLETE, with its files in partial, when its process is killed', async () => {
    const lab = await openCold([writing('a.txt', 'a'), { text: ['half of'], endless: 'stall' }]);
    const kill = async (): Promise<unknown> => {
      for await (const event of lab.provider.stream('go')) {
        if (event.type !== 'text-delta') continue;
        for (const { pid } of findLabProcesses(lab)) process.kill(pid, 'SIGKILL');
      }
      return undefined;
    };
    const failure = await kill().catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'INCOMPLETE',
      retryable: true,
      signal: 'SIGKILL',
      partial: { text: 'half of', files: [{ path: 'a.txt', confirmed: true }] },
    });
  });

  it('returns an answer of five megabytes complete', async () => {
    const lab = await open([{ text: BIG.match(/[\s\S]{1,500000}/g) ?? [] }]);
    const { text, recovered } = await lab.run();
    expect(text.length).toBe(BIG.length);
    expect(text === BIG).toBe(true);
    expect(recovered).toBe(false);
  });

  it.each(
    gateCases(
      [
        [
          'AUTH',
          {
            status: 400,
            message: 'API key not valid. Please pass a valid API key.',
            details: [KEY_INVALID],
          },
        ],
        ['QUOTA_EXHAUSTED', { status: 429, message: 'Quota exceeded', details: [QUOTA_PER_DAY] }],
        ['AUTH', { status: 401, message: 'Request had invalid authentication credentials.' }],
        ['API_REQUEST', { status: 400, message: 'Request contains an invalid argument.' }],
      ],
      2,
    ),
  )('is %s when the API answers %j', async (code, error) => {
    const lab = await open([{ error }]);
    const { message, hint, ...failure } = await lab.fail();
    // The CLI writes the whole conversation into an error report, which the provider must remove.
    const reports = readdirSync(tmpdir()).filter((name) => name.startsWith('gemini-client-error'));
    const texts = reports.map((name) => readFileSync(join(tmpdir(), name), 'utf8'));
    expect(texts.filter((text) => text.includes(lab.workspace))).toEqual([]);
    expect(failure).toMatchObject({ code, retryable: false, httpStatus: error.status });
    // The CLI replaces the message of the API when a quota is exhausted.
    if (code !== 'QUOTA_EXHAUSTED') expect(message).toContain(error.message);
    if (code === 'AUTH') expect(hint).toContain('GEMINI_API_KEY');
    expect(hint).not.toContain('auth login');
    expect(lab.model.requests).toHaveLength(1);
  });

  it('accepts a prompt of 8 MiB, and is CONTEXT_OVERFLOW because the model does not', async () => {
    const lab = await open([{ text: 'never' }]);
    const prompt = `${'€'.repeat(1000)}${'word '.repeat(MIB)}${' '.repeat(3 * MIB - 3000 - 1)}.`;
    expect(Buffer.byteLength(prompt)).toBe(8 * MIB);
    const seen: boolean[] = [];
    const read = async () => {
      for await (const event of lab.provider.stream(prompt)) {
        if (event.type === 'user-input') seen.push(event.text === prompt);
      }
    };
    await expect(read()).rejects.toMatchObject({ code: 'CONTEXT_OVERFLOW', exitCode: exitCode(0) });
    expect(seen).toEqual([true]);
    expect(lab.model.requests).toEqual([]);
  });

  it('is refused in a folder that the user does not trust', async () => {
    const lab = await open([{ text: 'never' }], { config: { trustWorkspace: false } });
    const failure = await lab.fail();
    expect(failure).toMatchObject({ code: 'UNTRUSTED_WORKSPACE', exitCode: exitCode(55) });
    expect(failure.hint).toContain('trustWorkspace');
    expect(lab.model.requests).toEqual([]);
  });

  it('replaces the system prompt of the CLI with its own', async () => {
    const systemPrompt = { mode: 'replace', text: 'You are a crow.' } as const;
    const lab = await open([{ text: 'Caw.' }], { config: { systemPrompt } });
    await lab.run();
    expect(lab.model.requests[0]?.systemInstruction).toMatch(/^You are a crow\./);
    expect(lab.model.requests[0]?.systemInstruction).not.toContain('Gemini CLI');
  });

  it('never runs a tool or a command that deniedTools names, even in yolo mode', async () => {
    const calls = [
      { name: 'read_file', args: { file_path: 'a.txt' } },
      shell('rm -f a.txt'),
      shell('true'),
      write('b.txt', 'b'),
    ];
    const denied = ['read_file', 'run_shell_command(rm)', 'write_file'];
    const lab = await open([{ toolCalls: calls }, { text: 'I may not.' }], {
      config: { approvalMode: 'yolo', deniedTools: denied },
      files: { 'a.txt': 'SECRET' },
    });
    const { files, deniedTools } = await lab.run();
    expect(files).toEqual([]);
    expect(deniedTools.map(({ tool }) => tool)).toEqual([
      'read_file',
      'run_shell_command',
      'write_file',
    ]);
    expect(deniedTools[2]?.hint).toBe('Remove write_file from deniedTools.');
    expect(lab.model.requests[0]?.tools).not.toContain('write_file');
    expect(JSON.stringify(lab.model.requests)).not.toContain('SECRET');
    expect(read(lab.workspace, 'a.txt')).toBe('SECRET');
  });

  it.each(
    gateCases(
      [
        [
          { status: 429, message: 'Slow down', retryDelay: '2s' },
          { code: 'RATE_LIMITED', retryAfterMs: 2000 },
        ],
        [
          { status: 503, message: 'Overloaded' },
          { code: 'API_UNAVAILABLE', httpStatus: 503 },
        ],
      ],
      1,
    ),
  )(
    'is not retried by the CLI after %j when maxCliAttempts is reached',
    async (error, expected) => {
      const lab = await open([{ error }], { config: { maxCliAttempts: 1 } });
      const failure = await lab.fail();
      expect(failure).toMatchObject({ ...expected, retryable: true });
      expect(failure.message).toContain('given up after 1 request');
      expect(lab.model.requests).toHaveLength(1);
    },
  );
});

/** These tests mostly wait, so they run concurrently. The longest start first, and the others end in the meantime. */
describe.concurrent('a slow step', () => {
  const script = [
    { prompt: 'idle', turns: [{ text: 'only this', endless: 'stall' }] },
    { prompt: 'empty', turns: [{}] },
    { prompt: 'blocked', turns: [{ finishReason: 'SAFETY' }] },
  ] as const;
  const shared = {
    headless: shareLab(script, { config: { transport: 'headless' } }),
    acp: shareLab(script, { config: { transport: 'acp' } }),
  };

  it.for(TRANSPORTS)(
    'over %s ends with TIMEOUT when the total time is over, and a headless process ends with it',
    async (transport, { onTestFinished: cleanup }) => {
      const turn = { text: 'tick ', endless: 'repeat', chunkDelayMs: 100 } as const;
      const lab = await openLab([turn], { config: { transport }, cleanup });
      const failure = await lab.fail('go', { timeout: 20, idleTimeout: 19 });
      expect(failure).toMatchObject({ code: 'TIMEOUT', phase: 'total', retryable: true });
      expect(failure.partial?.text).toMatch(/^tick (tick \d+ )+/);
      expect(findLabProcesses(lab)).toHaveLength(transport === 'headless' ? 0 : 1);
    },
  );

  it.for(TRANSPORTS)('over %s ends with TIMEOUT when the idle time is over', async (transport) => {
    const failure = await shared[transport]().fail('idle', { idleTimeout: 15 });
    expect(failure).toMatchObject({ code: 'TIMEOUT', phase: 'idle', retryable: true });
    expect(failure.partial?.text).toBe('only this');
    expect(failure.hint).toContain('idleTimeout');
  });

  it.for([
    ['headless', 'empty', ['EMPTY_RESPONSE']],
    ['headless', 'blocked', ['CONTENT_BLOCKED']],
    ['acp', 'empty', ['EMPTY_RESPONSE']],
    // Over ACP the CLI gives no reason for an empty answer.
    ['acp', 'blocked', ['EMPTY_RESPONSE', 'CONTENT_BLOCKED']],
  ] as const)(
    'over %s never succeeds with an answer that is %s',
    async ([transport, prompt, codes]) => {
      const { model, fail } = shared[transport]();
      const { code, exitCode } = await fail(prompt);
      expect(codes).toContain(code);
      expect(exitCode).toBe(transport === 'headless' ? 0 : undefined);
      expect(model.requests.filter((request) => request.prompt === prompt)).toHaveLength(4);
    },
  );

  it.for(TRANSPORTS)(
    'over %s reports the retry of the CLI, and succeeds',
    async (transport, { onTestFinished: cleanup }) => {
      const attempts = [{ error: { status: 503 } }, { text: 'At last.' }];
      const { provider } = await openLab([{ attempts }], { config: { transport }, cleanup });
      const events: AgentEvent[] = [];
      for await (const event of provider.stream('go')) events.push(event);
      expect(events.filter(({ type }) => type === 'session-status')).toMatchObject([
        { status: 'retrying', attempt: 1, httpStatus: 503 },
      ]);
      expect(events.at(-1)).toMatchObject({
        type: 'turn-complete',
        result: { text: 'At last.', warnings: [{ code: 'CLI_RETRIED', count: 1 }] },
      });
    },
  );
});
