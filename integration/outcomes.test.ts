import { describe, expect, it } from 'vitest';
import { openLab } from './support.js';

const write = (path: string, content: string) => ({
  toolCalls: [{ name: 'write_file', args: { file_path: path, content } }],
});

describe('a run that ends well', () => {
  it('gives the text, the files and the usage of a write', async () => {
    const lab = await openLab([
      { text: 'I write. ', ...write('src/a.ts', 'a\n') },
      { text: ['Do', 'ne.'] },
    ]);
    const result = await lab.run('write it');
    expect(result).toMatchObject({
      text: 'I write. Done.',
      filesWritten: { 'src/a.ts': null },
      deniedTools: [],
      warnings: [],
      usage: { total: 220, input: 200, output: 20, cached: 0, toolCalls: 1 },
      model: 'gemini-2.5-flash',
      transport: 'headless',
      cliVersion: '0.61.0',
      recovered: false,
    });
    expect(result.usage?.models).toEqual({
      'gemini-2.5-flash': { total: 220, input: 200, output: 20, cached: 0 },
    });
    expect(result.sessionId).toMatch(/^[\da-f-]{36}$/);
  });

  it('is a success without any text after the last tool', async () => {
    const lab = await openLab([write('a.txt', 'x'), {}]);
    const result = await lab.run();
    expect(result.text).toBe('');
    expect(Object.keys(result.filesWritten)).toEqual(['a.txt']);
  });

  it('says which tools were refused and what would allow them', async () => {
    const lab = await openLab([
      {
        toolCalls: [
          { name: 'run_shell_command', args: { command: 'npm test -- --ci' } },
          { name: 'no_such_tool' },
        ],
      },
      { text: 'end' },
    ]);
    const { deniedTools, text } = await lab.run();
    expect(text).toBe('end');
    expect(deniedTools.map(({ tool, reason }) => [tool, reason])).toEqual([
      ['run_shell_command', 'not_registered'],
      ['no_such_tool', 'not_registered'],
    ]);
    expect(deniedTools[0]?.hint).toContain('allowedTools: ["run_shell_command(npm test)"]');
    expect(deniedTools[1]?.hint).toContain('No setting allows it');
  });

  it('hands the context through untouched', async () => {
    const lab = await openLab([{ text: 'ok' }]);
    const context = { stepId: 7, nested: { a: [1] } };
    expect((await lab.run('go', {}, context)).context).toBe(context);
  });
});

describe('an answer of the API', () => {
  it.each([
    [400, 'Request contains an invalid argument.', 'API_REQUEST', false],
    [401, 'Request had invalid authentication credentials.', 'AUTH', false],
    [403, 'Permission denied.', 'AUTH', false],
    [404, 'models/nope is not found for API version v1beta', 'MODEL_NOT_FOUND', false],
  ] as const)('%i becomes the right code', async (status, message, code, retryable) => {
    const lab = await openLab([{ error: { status, message } }]);
    const error = await lab.fail();
    expect(error).toMatchObject({ code, retryable });
    expect(error.message).toContain(message);
    if (status !== 404) expect(error.httpStatus).toBe(status);
    expect(lab.model.requests).toHaveLength(1);
  });

  it('with an invalid key is AUTH, although the status is 400', async () => {
    const details = [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'API_KEY_INVALID',
        domain: 'googleapis.com',
      },
    ];
    const lab = await openLab([
      {
        error: { status: 400, message: 'API key not valid. Please pass a valid API key.', details },
      },
    ]);
    const error = await lab.fail();
    expect(error).toMatchObject({ code: 'AUTH', retryable: false });
    expect(error.hint).toContain('GEMINI_API_KEY');
    expect(error.hint).not.toContain('auth login');
  });

  it('that names a daily quota is QUOTA_EXHAUSTED', async () => {
    const details = [
      {
        '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
        violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel' }],
      },
    ];
    const lab = await openLab([{ error: { status: 429, message: 'Quota exceeded', details } }]);
    expect(await lab.fail()).toMatchObject({
      code: 'QUOTA_EXHAUSTED',
      retryable: false,
      httpStatus: 429,
    });
  });

  it('that asks for a wait longer than the CLI is ready to is RATE_LIMITED with that time', async () => {
    const lab = await openLab([
      { error: { status: 429, message: 'Slow down.', retryDelay: '310s' } },
    ]);
    expect(await lab.fail()).toMatchObject({
      code: 'RATE_LIMITED',
      retryable: true,
      retryAfterMs: 310_000,
    });
  });

  it.each([
    [
      { error: { status: 500, message: 'An internal error has occurred.' } },
      { code: 'API_UNAVAILABLE', httpStatus: 500 },
    ],
    [
      { error: { status: 503, message: 'The model is overloaded.' } },
      { code: 'API_UNAVAILABLE', httpStatus: 503 },
    ],
    [
      { error: { status: 429, message: 'Quota exceeded.', retryDelay: '2s' } },
      { code: 'RATE_LIMITED', retryAfterMs: 2000 },
    ],
    [
      { error: { status: 429, message: 'Too many requests', retryDelay: '20s' } },
      { code: 'RATE_LIMITED', retryAfterMs: 20_000 },
    ],
    [{ error: { status: 499, message: 'Gone.' } }, { code: 'API_UNAVAILABLE', httpStatus: 499 }],
    [{ drop: 'before' as const }, { code: 'NETWORK' }],
  ])('%j is not waited for when maxCliAttempts is reached', async (turn, expected) => {
    const lab = await openLab([turn]);
    const error = await lab.fail('go', { maxCliAttempts: 1 });
    expect(error).toMatchObject({ ...expected, retryable: true });
    expect(error.message).toContain('given up after 1 attempt');
    expect(lab.model.requests).toHaveLength(1);
  });

  it('that fails once is retried by the CLI, and the run says so', async () => {
    const lab = await openLab([
      { attempts: [{ error: { status: 500 } }, { text: 'after retry' }] },
    ]);
    const statuses: string[] = [];
    for await (const event of lab.provider.stream('go')) {
      if (event.type === 'session-status')
        statuses.push(`${event.status} ${event.attempt} ${event.httpStatus}`);
      if (event.type === 'turn-complete') {
        expect(event.result?.text).toBe('after retry');
        expect(event.result?.warnings).toMatchObject([{ code: 'CLI_RETRIED', count: 1 }]);
      }
    }
    expect(statuses).toEqual(['retrying 1 500']);
  });

  it('that is no stream of events is NETWORK', async () => {
    const lab = await openLab([{ rawBody: 'data: {"candidates": [{"content"\r\n\r\n' }]);
    expect(await lab.fail('go', { maxCliAttempts: 1 })).toMatchObject({
      code: 'NETWORK',
      retryable: true,
    });
  });
});

/** The CLI asks four times within seven seconds before it gives up on an unusable answer. */
describe.concurrent('an unusable answer', () => {
  it.for([
    ['empty', {}, 'EMPTY_RESPONSE'],
    ['of thoughts alone', { thoughts: ['**Plan** I think'] }, 'EMPTY_RESPONSE'],
    ['with a malformed call', { finishReason: 'MALFORMED_FUNCTION_CALL' }, 'EMPTY_RESPONSE'],
    ['without a finish reason', { text: 'no end', finishReason: null }, 'EMPTY_RESPONSE'],
    ['blocked for safety', { finishReason: 'SAFETY' }, 'CONTENT_BLOCKED'],
    ['blocked for recitation', { finishReason: 'RECITATION' }, 'CONTENT_BLOCKED'],
    ['blocked for other reasons', { finishReason: 'OTHER' }, 'CONTENT_BLOCKED'],
  ] as const)(
    '%s is no success, although the CLI exits with 0',
    async ([, turn, code], { onTestFinished }) => {
      const lab = await openLab([turn], { cleanup: onTestFinished });
      const error = await lab.fail();
      expect(error.code).toBe(code);
      expect(error.exitCode).toBe(0);
      expect(lab.model.requests).toHaveLength(4);
    },
  );

  it('that is repaired by a retry is in the text once', async ({ onTestFinished }) => {
    const attempts = [
      { text: ['part one ', 'part two '], finishReason: null },
      { text: ['part one ', 'part two '] },
    ];
    const lab = await openLab([{ attempts }], { cleanup: onTestFinished });
    const result = await lab.run();
    expect(result.text).toBe('part one part two ');
    expect(result.warnings).toMatchObject([{ code: 'TEXT_REPAIRED' }]);
  });
});
