import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentEvent } from 'gemini-cli-provider';
import { describe, expect, it } from 'vitest';
import { findRunProcesses, type LabOptions, openLab, read } from './support.js';

/** Numbered, because the CLI stops a model that repeats itself. */
const BIG = Array.from({ length: 110_000 }, (_, index) => {
  return `Line ${index} of an answer that is five megabytes long.\n`;
}).join('');
const QUOTA_PER_DAY = {
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel' }],
};

describe.each(['headless', 'acp'] as const)('a step over %s', (transport) => {
  const open = (script: Parameters<typeof openLab>[0], options: LabOptions = {}) => {
    return openLab(script, { ...options, config: { transport, ...options.config } });
  };

  it('streams text as it comes, between its session and its result', async () => {
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

  it('writes and replaces files, and has them in the manifest with their diffs', async () => {
    const lab = await open(
      [
        { toolCalls: [{ name: 'write_file', args: { file_path: 'new.txt', content: 'new\n' } }] },
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
        diff: expect.stringContaining('+x'),
      },
    ]);
    expect(read(lab.workspace, 'old.txt')).toBe('a\r\nx\r\n');
    expect(usage).toMatchObject({ total: 330, toolCalls: 2 });
  });

  it('goes on after a tool that was denied, and names what would allow it', async () => {
    const lab = await open([
      { toolCalls: [{ name: 'run_shell_command', args: { command: 'touch made.txt' } }] },
      { text: 'I could not.' },
    ]);
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
        { toolCalls: [{ name: 'run_shell_command', args: { command: 'touch made.txt' } }] },
        {
          toolCalls: [
            { name: 'run_shell_command', args: { command: 'touch b.txt && rm made.txt' } },
          ],
        },
        { text: 'Done.' },
      ],
      { config: { transport, allowedTools: ['run_shell_command(touch made.txt)'] } },
    );
    const { files, deniedTools } = await lab.run();
    expect(files).toMatchObject([{ path: 'made.txt', tools: ['run_shell_command'] }]);
    expect(deniedTools).toHaveLength(1);
  });

  it('that is cancelled has what there was, and leaves nothing alive', async () => {
    const lab = await open([{ text: ['begun'], endless: 'stall' }]);
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
    expect(findRunProcesses(lab)).toEqual([]);
  });

  it('ends with TIMEOUT when the agent does not start', async () => {
    const lab = await open([{ text: 'never' }], { config: { transport, startTimeout: 0.05 } });
    expect(await lab.fail()).toMatchObject({ code: 'TIMEOUT', phase: 'start' });
    await lab.provider.dispose();
    expect(findRunProcesses(lab)).toEqual([]);
  });

  it('is INCOMPLETE, with its files, when the process is killed in the middle', async () => {
    const lab = await open([
      { toolCalls: [{ name: 'write_file', args: { file_path: 'a.txt', content: 'a' } }] },
      { text: ['half of'], endless: 'stall' },
    ]);
    const kill = async (): Promise<unknown> => {
      for await (const event of lab.provider.stream('go')) {
        if (event.type !== 'text-delta') continue;
        for (const { pid } of findRunProcesses(lab)) process.kill(pid, 'SIGKILL');
      }
      return undefined;
    };
    const failure = await kill().catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'INCOMPLETE',
      retryable: true,
      partial: { text: 'half of', files: [{ path: 'a.txt', confirmed: true }] },
    });
  });

  it('takes an answer of five megabytes whole', async () => {
    const lab = await open([{ text: BIG.match(/[\s\S]{1,50000}/g) ?? [] }]);
    const { text } = await lab.run();
    expect(text.length).toBe(BIG.length);
    expect(text).toBe(BIG);
  });

  it.each([
    ['AUTH', { status: 400, message: 'API key not valid. Please pass a valid API key.' }],
    ['AUTH', { status: 401, message: 'Request had invalid credentials.' }],
    ['QUOTA_EXHAUSTED', { status: 429, message: 'Quota exceeded', details: [QUOTA_PER_DAY] }],
    ['API_REQUEST', { status: 400, message: 'The request is malformed.' }],
  ])('is %s when the API answers %j', async (code, error) => {
    const lab = await open([{ error }]);
    expect(await lab.fail()).toMatchObject({ code, httpStatus: error.status });
  });

  it('is CONTEXT_OVERFLOW when the prompt does not fit', async () => {
    const lab = await open([{ text: 'never' }]);
    expect(await lab.fail('x'.repeat(7_000_000))).toMatchObject({ code: 'CONTEXT_OVERFLOW' });
  });

  it('brings the prompt as it is written, whatever it looks like', async () => {
    const lab = await open([{ text: 'ok' }], { files: { 'secret.txt': 'SECRET' } });
    const prompts = ['@secret.txt please', '/help me', '-v', 'a\n\nb  ', '$HOME and `x`'];
    for (const prompt of prompts) {
      await lab.run(prompt);
      const sent = lab.model.requests.at(-1)?.promptParts ?? [];
      expect(sent).toHaveLength(1);
      expect(sent[0]?.replace(/^[\n\u200b]/, '').replace('\\@', '@')).toBe(prompt);
    }
  });

  it('is refused in a folder that nobody trusts', async () => {
    const lab = await open([{ text: 'never' }], { config: { transport, trustWorkspace: false } });
    expect(await lab.fail()).toMatchObject({ code: 'UNTRUSTED_WORKSPACE' });
    expect(lab.model.requests).toEqual([]);
  });

  it('gets its system prompt in the place of the own one of the CLI', async () => {
    const systemPrompt = { mode: 'replace', text: 'You are a crow.' } as const;
    const lab = await open([{ text: 'Caw.' }], { config: { transport, systemPrompt } });
    await lab.run();
    expect(lab.model.requests[0]?.systemInstruction).toContain('You are a crow.');
    expect(lab.model.requests[0]?.systemInstruction).not.toContain('Gemini CLI');
  });

  it('never runs a tool that is denied by name', async () => {
    const lab = await open(
      [
        { toolCalls: [{ name: 'read_file', args: { file_path: 'a.txt' } }] },
        { text: 'I may not.' },
      ],
      { config: { transport, approvalMode: 'yolo', deniedTools: ['read_file'] } },
    );
    writeFileSync(join(lab.workspace, 'a.txt'), 'SECRET');
    const { deniedTools } = await lab.run();
    expect(deniedTools).toMatchObject([{ tool: 'read_file' }]);
    expect(JSON.stringify(lab.model.requests)).not.toContain('SECRET');
  });

  describe.concurrent('that takes its time', () => {
    it('goes on where an earlier one was, and loses nothing', async ({
      expect,
      onTestFinished: cleanup,
    }) => {
      const script = [
        { prompt: 'first', turns: [{ text: 'I am one.' }] },
        { prompt: 'second', turns: [{ text: 'I am two.' }] },
      ];
      const lab = await open(script, { cleanup });
      const first = await lab.run('first');
      const second = await lab.run('second', { resume: first.sessionId });
      expect(second).toMatchObject({ text: 'I am two.', sessionId: first.sessionId });
      expect(JSON.stringify(lab.model.requests.at(-1)?.body)).toContain('I am one.');
    });

    it.for([
      ['total', { timeout: 20 }],
      ['idle', { idleTimeout: 15 }],
    ] as const)(
      'ends with TIMEOUT when the %s clock runs out',
      async ([phase, limits], { expect, onTestFinished: cleanup }) => {
        const lab = await open([{ text: ['begun'], endless: 'stall' }], {
          config: { transport, ...limits },
          cleanup,
        });
        expect(await lab.fail()).toMatchObject({
          code: 'TIMEOUT',
          phase,
          partial: { text: 'begun' },
        });
      },
    );

    it.for([
      ['RATE_LIMITED', { status: 429, message: 'Slow down', retryDelay: '2s' }],
      ['API_UNAVAILABLE', { status: 503, message: 'Overloaded' }],
    ] as const)(
      'is %s, to be tried again, when the CLI is not to go on trying',
      async ([code, error], { expect, onTestFinished: cleanup }) => {
        const lab = await open([{ error }], { config: { transport, maxCliAttempts: 1 }, cleanup });
        expect(await lab.fail()).toMatchObject({ code, retryable: true });
      },
    );

    it('says that the CLI has tried again, and succeeds', async ({
      expect,
      onTestFinished: cleanup,
    }) => {
      const attempts = [{ error: { status: 503 } }, { text: 'At last.' }];
      const lab = await open([{ attempts }], { cleanup });
      const { text, warnings } = await lab.run();
      expect(text).toBe('At last.');
      expect(warnings).toMatchObject([{ code: 'CLI_RETRIED', count: 1 }]);
    });

    it.for([
      ['empty', {}],
      ['blocked', { finishReason: 'SAFETY' }],
    ] as const)(
      'never takes an %s answer for success',
      async ([, turn], { expect, onTestFinished: cleanup }) => {
        const lab = await open([turn], { cleanup });
        const { code } = await lab.fail();
        expect(['EMPTY_RESPONSE', 'CONTENT_BLOCKED']).toContain(code);
      },
    );
  });
});
