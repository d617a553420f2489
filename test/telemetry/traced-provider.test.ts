import {
  type ContextManager,
  context,
  metrics,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AgentEvent } from '../../src/api/agent-event.js';
import { ProviderError } from '../../src/base/errors/provider-error.js';
import { estimateCost } from '../../src/base/usage/estimate-cost.js';
import { traced } from '../../src/otel.js';
import {
  calls,
  completes,
  type FakeStep,
  fails,
  fakeSteps,
  session,
  succeeds,
  text,
  USAGE,
} from '../engines/ai-sdk/fake-steps.js';
import { createMemorySdk } from './memory-sdk.js';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const cost = estimateCost(USAGE);

function open(script: FakeStep, options = {}) {
  const sdk = createMemorySdk();
  const inner = fakeSteps(script);
  return { sdk, inner, provider: traced(inner, { ...sdk.providers, ...options }) };
}

async function collect(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const all: AgentEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const STEP = [
  session,
  { type: 'user-input', text: 'PROMPT', isSynthetic: false },
  calls('call-1', { content: 'ARGUMENT' }),
  completes('call-1', { output: 'OUTPUT' }),
  calls('call-2'),
  completes('call-2', { isError: true, error: { type: 'policy_violation', message: 'DENIED' } }),
  text('ANSWER'),
  succeeds({ text: 'ANSWER', cost }),
] satisfies AgentEvent[];

describe('traced', () => {
  it('records a step with its tool calls, tokens and cost, and none of its content (claim: telemetry-no-content)', async () => {
    const { sdk, inner, provider } = open(STEP);
    const given = { projectRoot: '/work', mine: 1 };
    const result = await provider.generate('PROMPT', given, { model: 'gemini-2.5-flash' });
    expect(result).toMatchObject({ text: 'ANSWER', messages: expect.any(Array) });
    expect(result.context).toBe(given);
    const agent = sdk.find('invoke_agent fake');
    expect(agent.kind).toBe(SpanKind.INTERNAL);
    expect(agent.status.code).toBe(SpanStatusCode.UNSET);
    expect(agent.attributes).toEqual({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'fake',
      'gen_ai.agent.name': 'fake',
      'gen_ai.agent.version': '0.61.0',
      'gen_ai.output.type': 'text',
      'gen_ai.request.model': 'gemini-2.5-flash',
      'gen_ai.response.model': 'gemini-2.5-flash',
      'gen_ai.conversation.id': 'session-1',
      'gen_ai.usage.input_tokens': 1005,
      'gen_ai.usage.output_tokens': 520,
      'gen_ai.usage.cache_read.input_tokens': 400,
      'gen_ai.usage.reasoning.output_tokens': 500,
      'gemini_cli_provider.generation_id': 'generation-1',
      'gemini_cli_provider.transport': 'acp',
      'gemini_cli_provider.files': 0,
      'gemini_cli_provider.denied_tools': 0,
      'gemini_cli_provider.warnings': [],
      'gemini_cli_provider.repairs': 0,
      'gemini_cli_provider.cost.usd': cost.usd,
      'gemini_cli_provider.cost.is_lower_bound': cost.isLowerBound,
    });
    const tools = sdk.spans().filter(({ name }) => name === 'execute_tool write_file');
    expect(tools.map(({ status }) => status)).toEqual([
      { code: SpanStatusCode.UNSET },
      { code: SpanStatusCode.ERROR, message: 'policy_violation' },
    ]);
    for (const tool of tools)
      expect(tool.parentSpanContext?.spanId).toBe(agent.spanContext().spanId);
    expect(JSON.stringify(sdk.spans().map(({ attributes, events }) => [attributes, events])))
      .not //
      .toMatch(/PROMPT|ANSWER|ARGUMENT|OUTPUT|DENIED/);
    const { traceId, spanId } = agent.spanContext();
    expect(inner.steps[0]?.context).toEqual({
      ...given,
      traceparent: `00-${traceId}-${spanId}-01`,
    });
    const tokens = await sdk.read('gemini_cli_provider.tokens');
    expect(
      tokens.map(({ value, attributes }) => [attributes['gemini_cli_provider.token.type'], value]),
    ).toEqual([
      ['input', 600],
      ['cached', 400],
      ['output', 20],
      ['thoughts', 500],
      ['tool', 5],
    ]);
    expect(tokens.reduce((sum, { value }) => sum + value, 0)).toBe(USAGE.total);
    expect(await sdk.read('gemini_cli_provider.cost')).toMatchObject([{ value: cost.usd }]);
    expect(await sdk.read('gen_ai.invoke_agent.duration')).toHaveLength(1);
    expect(await sdk.read('gen_ai.execute_tool.duration')).toMatchObject([
      { attributes: { 'gen_ai.tool.name': 'write_file' } },
      { attributes: { 'error.type': 'policy_violation' } },
    ]);
  });

  it('records the content if asked, cut to its limit', async () => {
    const { sdk, provider } = open(STEP, { recordContent: true });
    await provider.generate('PROMPT');
    const { attributes } = sdk.find('invoke_agent fake');
    expect(JSON.parse(String(attributes['gen_ai.input.messages']))).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'PROMPT' }] },
    ]);
    expect(attributes['gen_ai.output.messages']).toContain('ANSWER');
    const [first, second] = sdk.spans();
    expect(first?.attributes).toMatchObject({
      'gen_ai.tool.call.arguments': '{"content":"ARGUMENT"}',
      'gen_ai.tool.call.result': 'OUTPUT',
    });
    expect(second?.status.message).toBe('DENIED');
    const long = open([succeeds({ text: 'x'.repeat(100_000) })], { recordContent: true });
    await long.provider.generate('go');
    const { 'gen_ai.output.messages': sent } = long.sdk.find('invoke_agent fake').attributes;
    expect(String(sent).length).toBeLessThan(33_000);
  });

  it('gives a failed step, and a call without a result, the status of an error', async () => {
    const { sdk, provider } = open([calls('call-1'), ...fails({ code: 'RATE_LIMITED' })]);
    await expect(provider.generate('go')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(sdk.find('invoke_agent fake').status).toEqual({
      code: SpanStatusCode.ERROR,
      message: 'RATE_LIMITED',
    });
    expect(sdk.find('execute_tool write_file').attributes['error.type']).toBe('no_result');
    expect(await sdk.read('gen_ai.invoke_agent.duration')).toMatchObject([
      { attributes: { 'error.type': 'RATE_LIMITED' } },
    ]);
  });

  it('ends the span of a step that throws before its first event, and of a loop that is left', async () => {
    const refused = new ProviderError({ code: 'INVALID_CONFIG', message: 'no' });
    const early = open([refused]);
    await expect(collect(early.provider.stream('go'))).rejects.toBe(refused);
    expect(early.sdk.find('invoke_agent fake').attributes['error.type']).toBe('INVALID_CONFIG');

    const { sdk, inner, provider } = open(async function* () {
      yield session;
      await new Promise(() => {});
    });
    for await (const _ of provider.stream('go')) break;
    expect(inner.steps).toMatchObject([{ isLeft: true }]);
    expect(sdk.find('invoke_agent fake').attributes['error.type']).toBe('CANCELLED');
  });

  it('starts nothing for a stream that is left before its first event', async () => {
    const { sdk, inner, provider } = open(STEP);
    const stream = provider.stream('go')[Symbol.asyncIterator]();
    expect(await stream.return?.()).toEqual({ done: true, value: undefined });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(inner.steps).toEqual([]);
    expect(sdk.spans()).toEqual([]);
  });

  it('takes its parent from the context, from the active span, and last from the options', async () => {
    const parents = async (given: object, options = {}) => {
      const { sdk, provider } = open([succeeds()], options);
      await provider.generate('go', given);
      return sdk.find('invoke_agent fake').parentSpanContext?.spanId;
    };
    expect(await parents({ traceparent: TRACEPARENT })).toBe('b7ad6b7169203331');
    expect(await parents({}, { traceparent: TRACEPARENT })).toBe('b7ad6b7169203331');
    expect(await parents({ traceparent: 'nonsense' })).toBeUndefined();
    const active = trace.setSpanContext(context.active(), {
      traceId: 'a'.repeat(32),
      spanId: 'c'.repeat(16),
      traceFlags: 1,
    });
    const manager: ContextManager = {
      active: () => active,
      with: (_context, call, self, ...args) => call.apply(self, args),
      bind: (_context, target) => target,
      enable: () => manager,
      disable: () => manager,
    };
    context.setGlobalContextManager(manager);
    onTestFinished(() => context.disable());
    expect(await parents({}, { traceparent: TRACEPARENT })).toBe('c'.repeat(16));
  });

  it('counts retries, repairs and waits', async () => {
    const { sdk, provider } = open([
      { type: 'session-status', status: 'waiting', message: 'SECRET', waitsFor: 'slot' },
      session,
      {
        type: 'session-status',
        status: 'retrying',
        message: 'SECRET',
        attempt: 1,
        httpStatus: 503,
      },
      { type: 'session-status', status: 'repairing', message: 'SECRET', attempt: 1 },
      succeeds(),
    ]);
    await provider.generate('go');
    const retries = await sdk.read('gemini_cli_provider.retries');
    expect(
      retries.map(({ value, attributes }) => [attributes['gemini_cli_provider.retry.kind'], value]),
    ).toEqual([
      ['request', 1],
      ['repair', 1],
    ]);
    expect(await sdk.read('gemini_cli_provider.wait')).toMatchObject([
      { attributes: { 'gemini_cli_provider.waits_for': 'slot' } },
    ]);
    const { events } = sdk.find('invoke_agent fake');
    expect(events.map(({ name, attributes }) => [name, attributes])).toEqual([
      ['gemini_cli_provider.waiting', { waits_for: 'slot' }],
      ['gemini_cli_provider.retrying', { attempt: 1, http_status: 503 }],
      ['gemini_cli_provider.repairing', { attempt: 1 }],
    ]);
  });

  it('names the worker of a queued step, and ends the calls of a worker that was lost', async () => {
    const assigned = { type: 'worker-assigned', jobId: 'job-1', host: 'host' } as const;
    const { sdk, inner } = open([
      { ...assigned, worker: 'one', attempt: 1, waitMs: 2_000, lost: [] },
      calls('call-1'),
      {
        ...assigned,
        worker: 'two',
        attempt: 2,
        waitMs: 3_000,
        lost: [{ attempt: 1, worker: 'one', host: 'host' }],
      },
      succeeds(),
    ]);
    const queued = { ...inner, metadata: { ...inner.metadata, name: 'queued' } };
    await traced(queued, sdk.providers).generate('go');
    const agent = sdk.find('invoke_agent queued');
    expect(agent.kind).toBe(SpanKind.CLIENT);
    expect(agent.attributes).toMatchObject({
      'gen_ai.provider.name': 'gcp.gen_ai',
      'gemini_cli_provider.job.id': 'job-1',
      'gemini_cli_provider.job.attempt': 2,
      'gemini_cli_provider.worker.name': 'two',
    });
    expect(sdk.find('execute_tool write_file').attributes['error.type']).toBe('worker_lost');
    expect(await sdk.read('gemini_cli_provider.wait')).toMatchObject([{ value: 5 }]);
    expect(await sdk.read('gemini_cli_provider.retries')).toMatchObject([
      { value: 1, attributes: { 'gemini_cli_provider.retry.kind': 'worker' } },
    ]);
  });

  it('counts nothing on a worker whose caller is traced, and all on another', async () => {
    const job = { jobId: 'job-1' };
    const below = open(STEP);
    await below.provider.generate('go', { ...job, traceparent: TRACEPARENT });
    expect(below.sdk.spans().map(({ name }) => name)).toEqual(['invoke_agent fake']);
    expect(below.sdk.find('invoke_agent fake').parentSpanContext?.isRemote).toBe(true);
    expect(await below.sdk.read('gemini_cli_provider.tokens')).toEqual([]);
    expect(await below.sdk.read('gen_ai.invoke_agent.duration')).toEqual([]);
    const alone = open(STEP);
    await alone.provider.generate('go', job);
    expect(alone.sdk.spans()).toHaveLength(3);
    expect(await alone.sdk.read('gemini_cli_provider.tokens')).not.toEqual([]);
  });

  it('passes limits, disposal and metadata on, and wraps a provider once (claim: telemetry-keeps-limits)', async () => {
    const keepLimits = (options: object) => ({ ...options, approvalMode: 'plan' });
    const limited = Object.assign(fakeSteps([succeeds()]), { keepLimits });
    const provider = traced(limited);
    expect(Reflect.get(provider, 'keepLimits').call(provider, { model: 'm' })).toEqual({
      model: 'm',
      approvalMode: 'plan',
    });
    expect(provider.metadata.name).toBe('fake');
    expect(traced(provider)).toBe(provider);
    await provider.dispose();
    expect(limited.disposals.count).toBe(1);
  });

  it('leaves context, events and errors as they are without an SDK', async () => {
    expect(metrics.getMeterProvider().constructor.name).toContain('Noop');
    const inner = fakeSteps(STEP);
    const given = { mine: 1 };
    const events = await collect(traced(inner).stream('go', given));
    expect(events).toEqual(
      STEP.map((event) =>
        event.type === 'turn-complete'
          ? { ...event, result: { ...event.result, context: given } }
          : event,
      ),
    );
    expect(inner.steps[0]?.context).toBe(given);
  });

  it('does not fail a step because of an SDK that throws', async () => {
    const sdk = createMemorySdk();
    const meterProvider = {
      getMeter: () => {
        throw new Error('broken SDK');
      },
    };
    const provider = traced(fakeSteps(STEP), { ...sdk.providers, meterProvider });
    expect(await provider.generate('go')).toMatchObject({ text: 'ANSWER' });
  });
});
