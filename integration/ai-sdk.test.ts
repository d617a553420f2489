import {
  generateObject,
  generateText,
  Output,
  stepCountIs,
  streamText,
  ToolLoopAgent,
  tool,
} from 'ai';
import { createGeminiCli, type GeminiCliCallOptions } from 'gemini-cli-provider/ai-sdk';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { read, shareLab } from './support.js';
import { running, writing } from './tool-calls.js';

const PERSON = z.object({ name: z.string(), mail: z.email() });

/** One warm process serves all tests of this file. */
describe('models of the AI SDK', () => {
  const lab = shareLab(
    [
      // A repair repeats words of the first prompt, so its rule comes first.
      { prompt: 'was checked', turns: [{ text: '{"name": "Ada", "mail": "ada@example.com"}' }] },
      { prompt: 'Who', turns: [{ text: 'Her name is Ada.' }] },
      {
        prompt: 'greet',
        turns: [
          { thoughts: ['A plan.'], text: 'I write. ', ...writing('hello.txt', 'hi\n') },
          { text: ['Do', 'ne.'], usage: { prompt: 1000, cached: 400, output: 20, thoughts: 500 } },
        ],
      },
      { prompt: 'shell', turns: [running('echo hi'), { text: 'No shell.' }] },
      { prompt: 'slow', turns: [{ text: ['a', 'b'], chunkDelayMs: 60_000 }] },
      { prompt: 'silent', turns: [{ latencyMs: 60_000 }] },
      {
        prompt: 'limited',
        turns: [
          {
            attempts: [{ error: { status: 429, retryDelay: '600s' } }, { text: 'After a retry.' }],
          },
        ],
      },
      {
        prompt: 'half',
        turns: [writing('half.txt', 'x\n'), { error: { status: 429, retryDelay: '600s' } }],
      },
      { prompt: 'login', turns: [{ error: { status: 401, message: 'No key.' } }] },
      { turns: [{ text: 'Again.' }] },
    ],
    { config: { transport: 'acp' } },
  );
  const gemini = () => createGeminiCli({ provider: lab().provider });
  const model = () => gemini()('gemini-2.5-flash');
  beforeAll(() => {
    Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
    return () => Reflect.deleteProperty(globalThis, 'AI_SDK_LOG_WARNINGS');
  });

  it('generate text with tool calls, usage, manifest and warnings in one step', async () => {
    const result = await generateText({
      model: model(),
      prompt: 'Please greet the world',
      temperature: 0.2,
      stopWhen: stepCountIs(5),
      tools: { own: tool({ inputSchema: z.object({}), execute: () => 1 }) },
    });
    expect(result.text).toBe('I write. Done.');
    expect(result.reasoningText).toContain('A plan.');
    expect(result.finishReason).toBe('stop');
    expect(result.steps).toHaveLength(1);
    expect(result.toolCalls).toMatchObject([{ toolName: 'write_file', dynamic: true }]);
    expect(result.toolResults).toMatchObject([{ toolName: 'write_file', providerExecuted: true }]);
    expect(result.usage).toMatchObject({
      inputTokens: 1100,
      outputTokens: 530,
      reasoningTokens: 500,
      totalTokens: 1630,
    });
    const metadata = result.providerMetadata?.['gemini-cli'];
    expect(result.response.id).toBe(metadata?.['sessionId']);
    expect(metadata?.['files']).toMatchObject([{ path: 'hello.txt', kind: 'created' }]);
    expect(read(lab().workspace, 'hello.txt')).toBe('hi\n');
    expect(result.warnings).toMatchObject([
      { type: 'unsupported', feature: 'temperature' },
      { type: 'unsupported', feature: 'tools' },
    ]);
    // Over ACP, a session of the same minute is resumed in the next minute.
    const options = {
      resume: result.response.id,
      transport: 'headless',
    } satisfies GeminiCliCallOptions;
    const resumed = await generateText({
      model: model(),
      messages: [
        { role: 'user', content: 'Please greet the world' },
        ...result.response.messages,
        { role: 'user', content: 'and once more' },
      ],
      providerOptions: { 'gemini-cli': options },
    });
    expect(resumed.text).toBe('Again.');
    expect(resumed.response.id).toBe(result.response.id);
    expect(lab().model.requests.at(-1)?.prompt).toBe('and once more');
  });

  it('stream text, thoughts and tool events, for the interface of a page, too', async () => {
    const result = streamText({ model: model(), prompt: 'Please greet the world' });
    const types: string[] = [];
    for await (const part of result.fullStream) types.push(part.type);
    const first = types.filter((type, index) => type !== types[index - 1]);
    expect(first).toEqual([
      'start',
      'start-step',
      'reasoning-start',
      'reasoning-delta',
      'reasoning-end',
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
      'finish-step',
      'finish',
    ]);
    expect(await result.text).toBe('I write. Done.');
    const page = streamText({ model: model(), prompt: 'Please greet the world' });
    const chunks = [];
    for await (const chunk of page.toUIMessageStream()) chunks.push(chunk.type);
    expect(chunks).toEqual(
      expect.arrayContaining(['tool-input-available', 'tool-output-available']),
    );
    expect(chunks).not.toContain('error');
  });

  it('give objects that satisfy the schema, after a repair', async () => {
    const object = { name: 'Ada', mail: 'ada@example.com' };
    const whole = await generateObject({ model: model(), schema: PERSON, prompt: 'Who is it?' });
    expect(whole.object).toEqual(object);
    expect(whole.providerMetadata?.['gemini-cli']).toMatchObject({ repairs: 1 });
    const streamed = streamText({
      model: model(),
      output: Output.object({ schema: PERSON }),
      prompt: 'Who is it?',
    });
    const partials = [];
    for await (const partial of streamed.partialOutputStream) partials.push(partial);
    expect(partials).toEqual([object]);
    expect(await streamed.output).toEqual(object);
  });

  it('report refused tools as failed calls', async () => {
    const { content, providerMetadata } = await generateText({ model: model(), prompt: 'shell' });
    expect(content.map(({ type }) => type)).toEqual(['tool-call', 'tool-error', 'text']);
    expect(providerMetadata?.['gemini-cli']?.['deniedTools']).toHaveLength(1);
  });

  it('send earlier messages as a transcript, and system messages as the system prompt', async () => {
    const agent = new ToolLoopAgent({ model: model(), instructions: 'Be brief.' });
    const { text, warnings } = await agent.generate({
      messages: [
        { role: 'user', content: 'one' },
        { role: 'assistant', content: 'two' },
        { role: 'user', content: 'three' },
      ],
    });
    expect(text).toBe('Again.');
    expect(warnings).toMatchObject([{ type: 'compatibility', feature: 'message history' }]);
    const prompt = lab().model.requests.at(-1)?.prompt;
    expect(prompt).toMatch(/^Be brief\.[\s\S]*<user>\none\n<\/user>[\s\S]*three\n<\/user>$/);
  });

  it('are repeated by the AI SDK if the step has written nothing, and only then', async () => {
    expect((await generateText({ model: model(), prompt: 'limited' })).text).toBe('After a retry.');
    const error = await generateText({ model: model(), prompt: 'half done' }).catch(
      (it: unknown) => it,
    );
    expect(error).toMatchObject({ name: 'AI_APICallError', statusCode: 429, isRetryable: false });
    expect(error).toMatchObject({
      data: { code: 'RATE_LIMITED', retryable: true, partial: { files: [{ path: 'half.txt' }] } },
    });
    expect(lab().model.requests.filter(({ prompt }) => prompt.includes('half done'))).toHaveLength(
      2,
    );
  });

  it('throw at once if the login is missing', async () => {
    const before = lab().model.requests.length;
    await expect(generateText({ model: model(), prompt: 'login' })).rejects.toMatchObject({
      name: 'AI_LoadAPIKeyError',
      cause: { code: 'AUTH' },
    });
    expect(lab().model.requests.length - before).toBe(1);
  });

  it('end the step when the call is aborted or its reader leaves', async () => {
    const abort = new AbortController();
    const waiting = generateText({ model: model(), prompt: 'silent', abortSignal: abort.signal });
    setTimeout(() => abort.abort(), 300);
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });

    const inTheMiddle = new AbortController();
    const types = [];
    const slow = streamText({ model: model(), prompt: 'slow', abortSignal: inTheMiddle.signal });
    for await (const { type } of slow.fullStream) {
      types.push(type);
      if (type === 'text-delta') inTheMiddle.abort();
    }
    expect(types.at(-1)).toBe('abort');

    const early = new AbortController();
    const none = streamText({ model: model(), prompt: 'silent', abortSignal: early.signal });
    setTimeout(() => early.abort(), 300);
    const earlyTypes = [];
    for await (const { type } of none.fullStream) earlyTypes.push(type);
    expect(earlyTypes.at(-1)).toBe('abort');

    const left = streamText({ model: model(), prompt: 'slow' });
    for await (const _ of left.textStream) break;
    // The warm process is free again.
    expect((await generateText({ model: model(), prompt: 'free?' })).text).toBe('Again.');
  });

  it('name a wrong option', async () => {
    const providerOptions = { 'gemini-cli': { approvalMode: 'automatic' } };
    await expect(
      generateText({ model: model(), prompt: 'x', providerOptions }),
    ).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('approvalMode'),
      data: { code: 'INVALID_CONFIG' },
    });
  });
});
