import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { gateCases } from './gate-cases.js';
import { makeFolder, openLab } from './support.js';
import { writing } from './tool-calls.js';

describe('a step that succeeds', () => {
  it('returns the text, the files, the usage and the unchanged context', async () => {
    const lab = await openLab([
      { text: 'I write. ', ...writing('src/a.ts', 'a\n') },
      { text: ['Do', 'ne.'] },
    ]);
    const context = { stepId: 7, nested: { a: [1] } };
    const result = await lab.run('write it', {}, context);
    expect(result).toMatchObject({
      text: 'I write. Done.',
      filesWritten: { 'src/a.ts': null },
      deniedTools: [],
      warnings: [],
      usage: { total: 220, input: 200, output: 20, cached: 0, thoughts: 0, tool: 0, toolCalls: 1 },
      model: 'gemini-2.5-flash',
      transport: 'headless',
      cliVersion: '0.61.0',
      recovered: false,
    });
    expect(result.usage?.models).toEqual({
      'gemini-2.5-flash': { total: 220, input: 200, output: 20, cached: 0, thoughts: 0, tool: 0 },
    });
    expect(result.sessionId).toMatch(/^[\da-f-]{36}$/);
    expect(result.context).toBe(context);
  });

  it('may have no text after the last tool call', async () => {
    const lab = await openLab([writing('a.txt', 'x'), {}]);
    const result = await lab.run();
    expect(result.text).toBe('');
    expect(Object.keys(result.filesWritten)).toEqual(['a.txt']);
  });
});

describe('an answer of the API', () => {
  it.each([
    [403, 'Permission denied.', 'AUTH'],
    [404, 'models/nope is not found for API version v1beta', 'MODEL_NOT_FOUND'],
  ] as const)(
    'with status %i becomes the right error code, and the error report of the CLI is removed',
    async (status, message, code) => {
      const lab = await openLab([{ error: { status, message } }]);
      const temp = makeFolder();
      const error = await lab.fail('go', { env: { ...lab.model.env, TMPDIR: temp } });
      expect(error).toMatchObject({ code, retryable: false });
      expect(error.message).toContain(message);
      if (status !== 404) expect(error.httpStatus).toBe(status);
      // The CLI wrote the whole request into an error report in TMPDIR.
      expect(error.stderrTail).toContain('gemini-client-error');
      expect(readdirSync(temp).filter((name) => name.startsWith('gemini-client-error'))).toEqual(
        [],
      );
      expect(lab.model.requests).toHaveLength(1);
    },
  );

  it.each(
    gateCases(
      [
        [
          { error: { status: 500, message: 'An internal error has occurred.' } },
          { code: 'API_UNAVAILABLE', httpStatus: 500 },
        ],
        [{ drop: 'before' as const }, { code: 'NETWORK' }],
        [
          { error: { status: 499, message: 'Gone.' } },
          { code: 'API_UNAVAILABLE', httpStatus: 499 },
        ],
      ] as const,
      2,
    ),
  )('like %j is not requested again when maxCliAttempts is reached', async (turn, expected) => {
    const lab = await openLab([turn]);
    const error = await lab.fail('go', { maxCliAttempts: 1 });
    expect(error).toMatchObject({ ...expected, retryable: true });
    expect(error.message).toContain('given up after 1 request');
    expect(lab.model.requests).toHaveLength(1);
  });

  it('that is no event stream is NETWORK', async () => {
    const lab = await openLab([{ rawBody: 'data: {"candidates": [{"content"\r\n\r\n' }]);
    expect(await lab.fail('go', { maxCliAttempts: 1 })).toMatchObject({
      code: 'NETWORK',
      retryable: true,
    });
  });
});

/** The CLI requests an unusable answer four times within seven seconds before it gives up, so these tests run concurrently. */
describe.concurrent('an unusable answer', () => {
  it.for([
    ['of thoughts alone', { thoughts: ['**Plan** I think'] }, 'EMPTY_RESPONSE'],
    ['with a malformed call', { finishReason: 'MALFORMED_FUNCTION_CALL' }, 'EMPTY_RESPONSE'],
    ['without a finish reason', { text: 'no end', finishReason: null }, 'EMPTY_RESPONSE'],
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

  it('that the CLI requests again is in the text once', async ({ onTestFinished }) => {
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
