import { join } from 'node:path';
import type { AgentEvent } from 'gemini-cli-provider';
import { findSessionFile, readSession } from 'gemini-cli-provider/sessions';
import { describe, expect, it } from 'vitest';
import { findLabProcesses, type LabOptions, openLab, read } from '../support.js';
import { running, shell, write, writing } from '../tool-calls.js';
import { keepWarm } from '../warm-cli.js';

/**
 * What a step promises on every supported version of the CLI: `npm run test:versions`. The names of the tests are the
 * rows of the table in src/agents/README.md.
 */
const LONG = Array.from({ length: 40_000 }, (_, index) => `Line ${index} of a long answer.\n`).join(
  '',
);
const QUOTA_PER_DAY = {
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel' }],
};
const KEY_INVALID = {
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason: 'API_KEY_INVALID',
  domain: 'googleapis.com',
};

async function requireFile(id = 'none', location: Parameters<typeof findSessionFile>[1] = {}) {
  const path = await findSessionFile(id, location);
  if (path === undefined) throw new Error(`There is no file of session ${id}`);
  return path;
}

describe.each(['headless', 'acp'] as const)('%s', (transport) => {
  const warmCli = transport === 'acp' ? keepWarm() : undefined;
  const openCold = (script: Parameters<typeof openLab>[0], options: LabOptions = {}) => {
    return openLab(script, { ...options, config: { transport, ...options.config } });
  };
  const open: typeof openCold = (script, options) => openCold(script, { ...options, warmCli });

  it('text as it comes, usage, session file', async () => {
    const lab = await open([{ text: ['one ', 'two ', 'three'], chunkDelayMs: 50 }]);
    const events: AgentEvent[] = [];
    for await (const event of lab.provider.stream('count')) events.push(event);
    const deltas = events.filter(({ type }) => type === 'text-delta');
    expect(deltas.map((event) => 'text' in event && event.text)).toEqual(['one ', 'two ', 'three']);
    const last = events.at(-1);
    expect(last).toMatchObject({
      type: 'turn-complete',
      result: { text: 'one two three', usage: { total: 110 } },
    });
    const sessionId = last?.type === 'turn-complete' ? last.result?.sessionId : undefined;
    const location = { projectDir: lab.workspace, geminiHome: join(lab.home, '.gemini') };
    const { messages } = await readSession(await requireFile(sessionId, location));
    expect(JSON.stringify(messages)).toContain('one two three');
  });

  it('files written and replaced, in the manifest', async () => {
    const edit = { file_path: 'old.txt', old_string: 'b', new_string: 'x', instruction: 'do' };
    const turns = [
      writing('new.txt', 'new\n'),
      { toolCalls: [{ name: 'replace', args: edit }] },
      { text: 'Done.' },
    ];
    const lab = await open(turns, { files: { 'old.txt': 'a\nb\n' } });
    const { files } = await lab.run();
    expect(files).toMatchObject([
      { path: 'new.txt', kind: 'created', confirmed: true },
      { path: 'old.txt', kind: 'modified', confirmed: true },
    ]);
    expect(read(lab.workspace, 'old.txt')).toBe('a\nx\n');
  });

  it('refused tools, with the setting that allows them', async () => {
    const lab = await open([running('touch made.txt'), { text: 'I could not.' }]);
    const { text, deniedTools, files } = await lab.run();
    expect([text, files]).toEqual(['I could not.', []]);
    expect(deniedTools).toMatchObject([{ hint: expect.stringContaining('run_shell_command') }]);
  });

  it('`allowedTools`: the named command and no other', async () => {
    const calls = [shell('touch made.txt'), shell('touch b.txt && rm made.txt')];
    const allowedTools = ['run_shell_command(touch made.txt)'];
    const lab = await open([{ toolCalls: calls }, { text: 'Done.' }], { config: { allowedTools } });
    const { files, deniedTools } = await lab.run();
    expect(files).toMatchObject([{ path: 'made.txt' }]);
    expect(deniedTools).toHaveLength(1);
  });

  it('`deniedTools` never run, even in yolo mode', async () => {
    const calls = [
      { name: 'read_file', args: { file_path: 'a.txt' } },
      shell('rm -f a.txt'),
      write('b.txt', 'b'),
    ];
    const lab = await open([{ toolCalls: calls }, { text: 'I may not.' }], {
      config: {
        approvalMode: 'yolo',
        deniedTools: ['read_file', 'run_shell_command(rm)', 'write_file'],
      },
      files: { 'a.txt': 'SECRET' },
    });
    const { files } = await lab.run();
    expect(files).toEqual([]);
    expect(JSON.stringify(lab.model.requests)).not.toContain('SECRET');
    expect(read(lab.workspace, 'a.txt')).toBe('SECRET');
  });

  it('`deniedTools` that were called are listed', async () => {
    const calls = [{ name: 'read_file', args: { file_path: 'a.txt' } }, shell('rm -f a.txt')];
    const lab = await open([{ toolCalls: calls }, { text: 'I may not.' }], {
      config: { approvalMode: 'yolo', deniedTools: ['read_file', 'run_shell_command(rm)'] },
    });
    const { deniedTools } = await lab.run();
    expect(deniedTools.map(({ tool }) => tool)).toEqual(['read_file', 'run_shell_command']);
  });

  it('`approvalMode: plan` writes nothing', async () => {
    const lab = await open([writing('a.txt', 'a'), { text: 'Planned.' }], {
      config: { approvalMode: 'plan' },
    });
    const { text, files } = await lab.run();
    expect([text, files]).toEqual(['Planned.', []]);
  });

  it('a long answer is complete', async () => {
    const lab = await open([{ text: LONG.match(/[\s\S]{1,200000}/g) ?? [] }]);
    const { text } = await lab.run();
    expect(text === LONG).toBe(true);
  });

  it('a cancelled step keeps its text and leaves no process', async () => {
    const lab = await openCold([{ text: ['begun'], endless: 'stall' }]);
    const controller = new AbortController();
    const cancel = async () => {
      for await (const event of lab.provider.stream('go', {}, { signal: controller.signal })) {
        if (event.type === 'text-delta') controller.abort();
      }
    };
    await expect(cancel()).rejects.toMatchObject({ code: 'CANCELLED', partial: { text: 'begun' } });
    await lab.provider.dispose();
    expect(findLabProcesses(lab)).toEqual([]);
  });

  it('a killed process is `INCOMPLETE`, with its files', async () => {
    const lab = await openCold([writing('a.txt', 'a'), { text: ['half of'], endless: 'stall' }]);
    const kill = async () => {
      for await (const event of lab.provider.stream('go')) {
        if (event.type !== 'text-delta') continue;
        for (const { pid } of findLabProcesses(lab)) process.kill(pid, 'SIGKILL');
      }
    };
    await expect(kill()).rejects.toMatchObject({
      code: 'INCOMPLETE',
      partial: { text: 'half of', files: [{ path: 'a.txt', confirmed: true }] },
    });
  });

  it.each([
    ['AUTH', { status: 400, message: 'API key not valid.', details: [KEY_INVALID] }],
    ['QUOTA_EXHAUSTED', { status: 429, message: 'Quota exceeded', details: [QUOTA_PER_DAY] }],
    ['API_REQUEST', { status: 400, message: 'Request contains an invalid argument.' }],
  ])('a refused request is `%s`', async (code, error) => {
    const lab = await open([{ error }]);
    expect(await lab.fail()).toMatchObject({ code, retryable: false });
    expect(lab.model.requests).toHaveLength(1);
  });

  it('`maxCliAttempts` ends retries: `RATE_LIMITED`', async () => {
    const lab = await open([{ error: { status: 429, message: 'Slow down', retryDelay: '2s' } }], {
      config: { maxCliAttempts: 1 },
    });
    expect(await lab.fail()).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 2000 });
    expect(lab.model.requests).toHaveLength(1);
  });

  it('a retry of the CLI is reported', async () => {
    const attempts = [{ error: { status: 503 } }, { text: 'At last.' }];
    const lab = await openCold([{ attempts }]);
    const { text, warnings } = await lab.run();
    expect(text).toBe('At last.');
    expect(warnings).toMatchObject([{ code: 'CLI_RETRIED' }]);
  });

  it.each([
    ['an empty answer', {}],
    ['a blocked answer', { finishReason: 'SAFETY' }],
  ])('%s is no success', async (_what, turn) => {
    const { code } = await (await open([turn])).fail();
    expect(['EMPTY_RESPONSE', 'CONTENT_BLOCKED']).toContain(code);
  });

  it('a folder without trust is refused', async () => {
    const lab = await open([{ text: 'never' }], { config: { trustWorkspace: false } });
    expect(await lab.fail()).toMatchObject({ code: 'UNTRUSTED_WORKSPACE' });
    expect(lab.model.requests).toEqual([]);
  });

  it('`systemPrompt` replaces that of the CLI', async () => {
    const systemPrompt = { mode: 'replace', text: 'You are a crow.' } as const;
    const lab = await open([{ text: 'Caw.' }], { config: { systemPrompt } });
    await lab.run();
    expect(lab.model.requests[0]?.systemInstruction).toMatch(/^You are a crow\./);
  });

  it('`resume` continues a session', async () => {
    const lab = await openCold([
      { prompt: 'first', turns: [{ text: 'The word is kumquat.' }] },
      { prompt: 'second', turns: [{ text: 'Yes.' }] },
    ]);
    const { sessionId } = await lab.run('first');
    expect((await lab.run('second', { resume: sessionId, timeout: 110 })).text).toBe('Yes.');
    expect(JSON.stringify(lab.model.requests.at(-1)?.body)).toContain('kumquat');
  });
});

describe('headless', () => {
  it('`sessionId` is the id of the session', async () => {
    const sessionId = 'b3c1d7a4-5a0e-4c52-9a3e-0d5f8f0e7c11';
    const lab = await openLab([{ text: 'Hello.' }], { config: { sessionId } });
    expect(await lab.run()).toMatchObject({ text: 'Hello.', sessionId });
  });
});
