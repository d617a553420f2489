import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { APICallError, LoadAPIKeyError } from '@ai-sdk/provider';
import { convertReadableStreamToArray } from 'ai/test';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/api/agent-event.js';
import type { ManifestFile } from '../../../src/api/manifest.js';
import type { ProviderError } from '../../../src/base/errors/provider-error.js';
import { createGeminiCli } from '../../../src/engines/ai-sdk/create-gemini-cli.js';
import {
  calls,
  completes,
  type FakeStep,
  fails,
  fakeSteps,
  resultOf,
  session,
  succeeds,
  text,
} from './fake-steps.js';

const CALL: LanguageModelV3CallOptions = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Write a.txt' }] }],
};
const JSON_CALL: LanguageModelV3CallOptions = {
  ...CALL,
  responseFormat: { type: 'json', schema: { type: 'object' } },
};
const WRITTEN: ManifestFile = {
  path: 'a.txt',
  absolutePath: '/w/a.txt',
  kind: 'created',
  tools: ['write_file'],
  toolIds: ['1'],
  bytes: 3,
  confirmed: true,
  outsideWorkspace: false,
};

function open(...steps: readonly FakeStep[]) {
  const provider = fakeSteps(...steps);
  return { provider, model: createGeminiCli({ provider })('gemini-2.5-flash') };
}

async function stream(
  events: FakeStep,
  call: LanguageModelV3CallOptions = CALL,
): Promise<LanguageModelV3StreamPart[]> {
  const { stream: parts } = await open(events).model.doStream(call);
  return convertReadableStreamToArray(parts);
}

async function generate(events: FakeStep, call: LanguageModelV3CallOptions = CALL) {
  return open(events).model.doGenerate(call);
}

async function failure(events: FakeStep, call: LanguageModelV3CallOptions = CALL) {
  return generate(events, call).then(
    () => expect.unreachable('The call should have failed'),
    (error: unknown) => error,
  );
}

const typesOf = (parts: readonly LanguageModelV3StreamPart[]) => parts.map(({ type }) => type);

/** Every block is started once and ended once, its deltas are in between, and no two are open at the same time. */
function assertBlocks(parts: readonly LanguageModelV3StreamPart[]): void {
  let isOpen: string | undefined;
  const ended = new Set<string>();
  for (const part of parts) {
    if (part.type === 'text-start' || part.type === 'reasoning-start') {
      expect(isOpen).toBeUndefined();
      expect(ended).not.toContain(part.id);
      isOpen = part.id;
    } else if (part.type === 'text-end' || part.type === 'reasoning-end') {
      expect(part.id).toBe(isOpen);
      ended.add(part.id);
      isOpen = undefined;
    } else if (part.type === 'text-delta' || part.type === 'reasoning-delta') {
      expect(part.id).toBe(isOpen);
    } else {
      expect(isOpen).toBeUndefined();
    }
  }
}

describe('a stream', () => {
  it('has session, thoughts, text and finish in order', async () => {
    const parts = await stream([
      session,
      text('Hm', 'thinking'),
      text('Do', 'plan'),
      text('Hel'),
      text('lo'),
      succeeds({ text: 'Hello' }),
    ]);
    expect(typesOf(parts)).toEqual([
      'stream-start',
      'response-metadata',
      'reasoning-start',
      'reasoning-delta',
      'reasoning-delta',
      'reasoning-end',
      'text-start',
      'text-delta',
      'text-delta',
      'text-end',
      'finish',
    ]);
    assertBlocks(parts);
    expect(parts[1]).toEqual({
      type: 'response-metadata',
      id: 'session-1',
      modelId: 'gemini-2.5-flash',
      timestamp: new Date('2026-11-18T10:00:00.000Z'),
    });
    expect(parts.at(-1)).toMatchObject({
      finishReason: { unified: 'stop', raw: 'success' },
      usage: {
        inputTokens: { total: 1005, noCache: 605, cacheRead: 400 },
        outputTokens: { total: 520, text: 20, reasoning: 500 },
        raw: { total: 1525, toolCalls: 1 },
      },
    });
  });

  it('closes the text before a tool call, and ends it once', async () => {
    const parts = await stream([
      session,
      text('I write. '),
      calls('1', { file_path: 'a.txt' }),
      completes('1', { output: 'ok' }),
      text('Done.'),
      succeeds({ text: 'I write. Done.' }),
    ]);
    assertBlocks(parts);
    expect(typesOf(parts).slice(2)).toEqual([
      'text-start',
      'text-delta',
      'text-end',
      'tool-input-start',
      'tool-input-delta',
      'tool-input-end',
      'tool-call',
      'tool-result',
      'text-start',
      'text-delta',
      'text-end',
      'finish',
    ]);
    expect(parts.find(({ type }) => type === 'tool-call')).toEqual({
      type: 'tool-call',
      toolCallId: '1',
      toolName: 'write_file',
      input: '{"file_path":"a.txt"}',
      providerExecuted: true,
      dynamic: true,
      providerMetadata: { 'gemini-cli': { kind: 'edit', category: 'file-write' } },
    });
    expect(parts.find(({ type }) => type === 'tool-result')).toMatchObject({
      toolCallId: '1',
      result: 'ok',
      isError: false,
      dynamic: true,
    });
  });

  it('keeps calls apart that run at the same time, and reports each once', async () => {
    const parts = await stream([
      session,
      calls('1', { n: 1 }),
      calls('2', { n: 2 }),
      calls('1', { n: 1 }),
      completes('2'),
      completes('1', { isError: true, error: { type: 'file_not_found', message: 'No.' } }),
      completes('1'),
      succeeds(),
    ]);
    const results = parts.filter((part) => part.type === 'tool-result');
    expect(parts.filter(({ type }) => type === 'tool-call')).toHaveLength(2);
    expect(results.map(({ toolCallId, result }) => [toolCallId, result])).toEqual([
      ['2', ''],
      ['1', { type: 'file_not_found', message: 'No.' }],
    ]);
  });

  it('carries arguments that the agent told later with the result', async () => {
    const update: AgentEvent = {
      ...{ type: 'tool-update', callId: '1', toolName: 'write_file' },
      ...{ kind: 'edit', category: 'file-write', input: { file_path: 'a.txt', content: 'hi' } },
    };
    const parts = await stream([session, calls('1'), update, completes('1'), succeeds()]);
    expect(parts.find(({ type }) => type === 'tool-result')).toMatchObject({
      providerMetadata: { 'gemini-cli': { input: { file_path: 'a.txt', content: 'hi' } } },
    });
  });

  it('gives a refused or unfinished call an error as its result', async () => {
    const denied = {
      ...{ tool: 'run_shell_command', toolId: '1', reason: 'permission' as const },
      ...{ message: 'No.', hint: 'Allow it.' },
    };
    const parts = await stream([
      session,
      calls('1'),
      calls('2'),
      succeeds({ deniedTools: [denied] }),
    ]);
    const results = parts.filter((part) => part.type === 'tool-result');
    expect(results).toMatchObject([
      { toolCallId: '1', isError: true, result: { reason: 'permission', hint: 'Allow it.' } },
      { toolCallId: '2', isError: true, result: { type: 'no_result' } },
    ]);
  });

  it('makes up the call of a result that came without one', async () => {
    const parts = await stream([session, completes('9', { toolName: undefined }), succeeds()]);
    expect(parts.find(({ type }) => type === 'tool-call')).toMatchObject({
      toolCallId: '9',
      toolName: 'unknown',
      input: '{}',
    });
  });

  it('shows text of a sub-agent as a thought, and not as the answer', async () => {
    const inner: AgentEvent = {
      ...{ type: 'text-delta', text: 'inner', textKind: 'text' },
      parentCallId: '1',
    };
    const parts = await stream([session, inner, text('outer'), succeeds({ text: 'outer' })]);
    assertBlocks(parts);
    expect(parts.filter(({ type }) => type === 'text-delta')).toMatchObject([{ delta: 'outer' }]);
    expect(parts.find(({ type }) => type === 'reasoning-start')).toMatchObject({
      providerMetadata: { 'gemini-cli': { parentCallId: '1' } },
    });
  });

  it('separates the answers of two turns as the result does', async () => {
    const asks = (isSynthetic = false): AgentEvent => ({
      ...{ type: 'user-input', text: 'go' },
      isSynthetic,
    });
    const parts = await stream([
      session,
      asks(true),
      asks(),
      text('first'),
      asks(),
      text('second'),
      succeeds({ text: 'first\n\nsecond', repairs: 1 }),
    ]);
    assertBlocks(parts);
    const deltas = parts.flatMap((part) => (part.type === 'text-delta' ? part.delta : []));
    expect(deltas.join('')).toBe('first\n\nsecond');
    expect(parts.at(-1)).not.toHaveProperty('providerMetadata.gemini-cli.text');
  });

  it('sends the end of an answer that the stream lacked', async () => {
    const parts = await stream([
      session,
      text('Hel'),
      succeeds({ text: 'Hello', recovered: true }),
    ]);
    assertBlocks(parts);
    const deltas = parts.flatMap((part) => (part.type === 'text-delta' ? part.delta : []));
    expect(deltas).toEqual(['Hel', 'lo']);
  });

  it('names the right text if the agent has repeated itself, and corrects it in a whole result', async () => {
    const events = [session, text('Hel'), text('Hello'), succeeds({ text: 'Hello' })];
    const parts = await stream(events);
    expect(parts.at(-1)).toHaveProperty('providerMetadata.gemini-cli.text', 'Hello');
    const { content } = await generate(events);
    expect(content).toEqual([{ type: 'text', text: 'Hello' }]);
  });

  it('has raw chunks on demand alone', async () => {
    const withRaw: AgentEvent = { ...session, raw: { id: 7 } };
    const events = [withRaw, succeeds()];
    expect(await stream(events, { ...CALL, includeRawChunks: true })).toContainEqual({
      type: 'raw',
      rawValue: { id: 7 },
    });
    expect(typesOf(await stream(events))).not.toContain('raw');
  });

  it('begins again after the loss of a worker', async () => {
    const assigned = (attempt: number): AgentEvent => ({
      ...{ type: 'worker-assigned', jobId: 'j', worker: 'w', host: 'h', waitMs: 0, lost: [] },
      attempt,
    });
    const events = [
      assigned(1),
      session,
      text('Hal'),
      calls('1'),
      assigned(2),
      session,
      calls('1'),
      completes('1'),
      text('Hello'),
      succeeds({ text: 'Hello' }),
    ];
    const parts = await stream(events);
    assertBlocks(parts);
    const ends = parts.filter((part) => part.type === 'tool-result');
    expect(ends.map(({ isError }) => isError)).toEqual([true, false]);
    const { content } = await generate(events);
    expect(content.map(({ type }) => type)).toEqual(['tool-call', 'tool-result', 'text']);
    expect(content.at(-1)).toEqual({ type: 'text', text: 'Hello' });
    expect(parts.at(-1)).not.toHaveProperty('providerMetadata.gemini-cli.text');
  });

  it('ignores events after the end, and is closed after finish', async () => {
    const parts = await stream([session, succeeds(), text('late')]);
    expect(typesOf(parts)).toEqual(['stream-start', 'response-metadata', 'finish']);
  });

  it('ends with an error and finish if the step fails after its first content', async () => {
    const partial = resultOf({ text: 'Hel', files: [WRITTEN] });
    const parts = await stream([
      session,
      text('Hel'),
      calls('1'),
      ...fails({ code: 'INCOMPLETE', partial }),
    ]);
    assertBlocks(parts);
    expect(typesOf(parts).slice(-3)).toEqual(['tool-result', 'error', 'finish']);
    expect(parts.at(-2)).toMatchObject({ error: { isRetryable: false } });
    expect(parts.at(-1)).toMatchObject({
      finishReason: { unified: 'error', raw: 'INCOMPLETE' },
      usage: { inputTokens: { total: 1005 } },
      providerMetadata: {
        'gemini-cli': { files: [{ path: 'a.txt' }], error: { retryable: true } },
      },
    });
  });

  it('rejects before the first content, so that the AI SDK can repeat the call', async () => {
    const { model } = open([session, ...fails({ code: 'RATE_LIMITED', retryAfterMs: 300 })]);
    await expect(model.doStream(CALL)).rejects.toMatchObject({
      isRetryable: true,
      responseHeaders: { 'retry-after-ms': '300' },
    });
  });

  it('is an error if the events end without a result', async () => {
    const parts = await stream([session, text('Hel')]);
    expect(parts.at(-2)).toMatchObject({ type: 'error', error: { data: { code: 'UNKNOWN' } } });
  });

  it('cancels the step when its reader leaves', async () => {
    let isEnded = false;
    const { model } = open(async function* () {
      try {
        yield session;
        yield text('Hel');
        yield text('lo');
      } finally {
        isEnded = true;
      }
    });
    const { stream: parts } = await model.doStream(CALL);
    const reader = parts.getReader();
    await reader.read();
    await reader.cancel();
    expect(isEnded).toBe(true);
  });

  it('reads no further than its reader', async () => {
    let events = 0;
    const { model } = open(async function* () {
      for (;;) {
        events += 1;
        yield text('x');
      }
    });
    const { stream: parts } = await model.doStream(CALL);
    expect(events).toBe(1);
    await parts.cancel();
  });
});

describe('a whole result', () => {
  it('has tool calls and their results beside the text', async () => {
    const warning = { code: 'CLI_RETRIED' as const, message: 'Twice.' };
    const { content, response, warnings, providerMetadata } = await generate([
      session,
      text('Hm', 'thinking'),
      calls('1'),
      completes('1'),
      text('Done.'),
      succeeds({ text: 'Done.', files: [WRITTEN], warnings: [warning], context: { a: 1 } }),
    ]);
    expect(content).toMatchObject([
      { type: 'reasoning', text: 'Hm' },
      { type: 'tool-call', providerExecuted: true, dynamic: true },
      { type: 'tool-result', result: '' },
      { type: 'text', text: 'Done.' },
    ]);
    expect(response?.id).toBe('session-1');
    expect(warnings).toEqual([{ type: 'other', message: 'CLI_RETRIED: Twice.' }]);
    expect(providerMetadata?.['gemini-cli']).toMatchObject({
      sessionId: 'session-1',
      files: [{ path: 'a.txt', kind: 'created' }],
      filesWritten: {},
      deniedTools: [],
      warnings: [warning],
      usage: { total: 1525 },
      durationMs: 12,
      cliVersion: '0.61.0',
      repairs: 0,
      apiRetries: 0,
      ttftMs: expect.any(Number),
    });
    expect(providerMetadata?.['gemini-cli']).not.toHaveProperty('context');
  });

  it('counts requests that the CLI has repeated', async () => {
    const retrying = (ofProcess: boolean): AgentEvent => ({
      ...{ type: 'session-status', status: 'retrying', message: 'Attempt 1 failed', attempt: 1 },
      ofProcess,
    });
    const { providerMetadata } = await generate([retrying(false), retrying(true), succeeds()]);
    expect(providerMetadata?.['gemini-cli']?.['apiRetries']).toBe(1);
  });

  it('has no token counts if the agent reports none', async () => {
    const { usage } = await generate([succeeds({ usage: undefined })]);
    expect(usage.inputTokens.total).toBeUndefined();
    expect(usage.outputTokens.total).toBeUndefined();
    expect(usage).not.toHaveProperty('raw');
  });

  it.each([
    ['TURN_LIMIT', 'length'],
    ['CONTENT_BLOCKED', 'content-filter'],
  ] as const)('finishes with the text so far after %s', async (code, unified) => {
    const partial = resultOf({ text: 'Half' });
    const events = [session, text('Half'), ...fails({ code, partial })];
    const { finishReason, content, providerMetadata } = await generate(events);
    expect(finishReason).toEqual({ unified, raw: code });
    expect(content).toEqual([{ type: 'text', text: 'Half' }]);
    expect(providerMetadata?.['gemini-cli']).toMatchObject({ error: { code } });
    expect(typesOf(await stream(events)).at(-1)).toBe('finish');
  });
});

describe('an object', () => {
  const answered = [session, text('Here: '), text('{"a": 1}'), text('!', 'thinking')];

  it('is one text block with the checked data, and never prose', async () => {
    const parts = await stream(
      [...answered, succeeds({ text: 'Here: {"a": 1}', data: { a: 1 }, repairs: 1 })],
      JSON_CALL,
    );
    assertBlocks(parts);
    const deltas = parts.flatMap((part) => (part.type === 'text-delta' ? part.delta : []));
    expect(deltas).toEqual(['{"a":1}']);
    expect(parts.at(-1)).toMatchObject({
      providerMetadata: { 'gemini-cli': { repairs: 1, data: { a: 1 } } },
    });
  });

  it('that was not found after all repairs is an error with the reason', async () => {
    const missing = [{ kind: 'json' as const, message: 'The answer has no JSON' }];
    const partial = resultOf({ text: 'Prose.' });
    const error = await failure(
      [...answered, ...fails({ code: 'EXPECTATION_FAILED', missing, partial })],
      JSON_CALL,
    );
    expect(error).toMatchObject({
      isRetryable: false,
      data: { missing, partial: { text: 'Prose.' } },
    });
  });

  it('that was cut short comes with the text so far', async () => {
    const partial = resultOf({ text: '{"a":' });
    const { content } = await generate(
      [session, ...fails({ code: 'TURN_LIMIT', partial })],
      JSON_CALL,
    );
    expect(content).toEqual([{ type: 'text', text: '{"a":' }]);
  });
});

describe('an error', () => {
  it('is retryable only if the step has changed nothing', async () => {
    const code = 'API_UNAVAILABLE';
    const retryable = async (...events: (AgentEvent | ProviderError)[]) => {
      const error = await failure([session, ...events]);
      if (!APICallError.isInstance(error)) return expect.unreachable(String(error));
      return error.isRetryable;
    };
    const wrote = (kind: ManifestFile['kind']) => resultOf({ files: [{ ...WRITTEN, kind }] });
    expect(await retryable(...fails({ code }))).toBe(true);
    expect(await retryable(text('Hel'), ...fails({ code, partial: resultOf() }))).toBe(true);
    expect(await retryable(...fails({ code, partial: wrote('unchanged') }))).toBe(true);
    expect(await retryable(...fails({ code, partial: wrote('modified') }))).toBe(false);
    const read = { category: 'file-read', kind: 'read' } as const;
    const ran = { category: 'command', kind: 'execute' } as const;
    const refusal = { type: 'policy_violation', message: 'No.' };
    expect(await retryable(completes('1', read), ...fails({ code }))).toBe(true);
    expect(await retryable(completes('1', ran), ...fails({ code }))).toBe(false);
    expect(await retryable(completes('1', { ...ran, isError: true }), ...fails({ code }))).toBe(
      false,
    );
    expect(
      await retryable(
        completes('1', { ...ran, isError: true, error: refusal }),
        ...fails({ code }),
      ),
    ).toBe(true);
    expect(await retryable(calls('1'), ...fails({ code }))).toBe(false);
    expect(await retryable(...fails({ code: 'API_REQUEST' }))).toBe(false);
  });

  it('has status, cause and data of the step', async () => {
    const events = fails({ code: 'RATE_LIMITED', retryAfterMs: 1500, sessionId: 's' });
    const error = await failure(events);
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({
      message: expect.stringMatching(/^RATE_LIMITED: The step failed Wait for/),
      url: 'gemini-cli://gemini-2.5-flash',
      statusCode: 429,
      responseHeaders: { 'retry-after-ms': '1500' },
      data: { code: 'RATE_LIMITED', sessionId: 's' },
      cause: events.at(-1),
    });
  });

  it('of the login is the one that names the key, and is not repeated', async () => {
    const error = await failure(fails({ code: 'AUTH' }));
    expect(LoadAPIKeyError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ message: expect.stringContaining('GEMINI_API_KEY') });
    expect(error).toMatchObject({ cause: { code: 'AUTH' } });
  });

  it('of a cancelled step is an abort with the files so far', async () => {
    const partial = resultOf({ files: [WRITTEN] });
    const cause = new DOMException('Too late', 'TimeoutError');
    const aborted = await failure(
      fails({ code: 'CANCELLED', partial, cause: new Error('Ctrl-C') }),
    );
    expect(aborted).toMatchObject({
      name: 'AbortError',
      message: 'The step failed: Ctrl-C',
      cause: { code: 'CANCELLED', partial: { files: [{ path: 'a.txt' }] } },
    });
    expect(await failure(fails({ code: 'CANCELLED', cause }))).toMatchObject({
      name: 'TimeoutError',
    });
  });

  it('of another class is thrown as it is', async () => {
    const defect = new TypeError('x is not a function');
    const error = await failure(() => {
      throw defect;
    });
    expect(error).toBe(defect);
  });
});
