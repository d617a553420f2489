import * as api from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { traced } from 'gemini-cli-provider/otel';
import { expect, test, vi } from 'vitest';
import { startCommand } from './batch-command.js';
import { type ReceivedSpan, startOtlpReceiver } from './otlp-receiver.js';
import { openLab } from './support.js';
import { running, writing } from './tool-calls.js';

const flags = ['--model', 'gemini-2.5-flash', '--trust-workspace', '--max-cli-attempts', '1'];
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const ERROR = 2;

/** Names of the spans from a span up to the one without a parent in the list. */
function pathOf(span: ReceivedSpan, all: readonly ReceivedSpan[]): string[] {
  const parent = all.find(({ spanId }) => spanId === span.parentSpanId);
  return [span.name, ...(parent === undefined ? [] : pathOf(parent, all))];
}

test('run and batch send spans and metrics of the real CLI, and none of its content (claim: telemetry-no-content)', async () => {
  const receiver = await startOtlpReceiver();
  const limited = { status: 429, message: 'Slow down.', retryDelay: '1s' };
  const lab = await openLab(
    [
      {
        prompt: 'PRIVATE-PROMPT one',
        turns: [
          { text: 'PRIVATE-ANSWER', ...writing('PRIVATE-FILE.txt', 'PRIVATE-CONTENT') },
          running('PRIVATE-COMMAND'),
          { text: 'Done.', usage: { prompt: 1000, cached: 400, output: 20, thoughts: 500 } },
        ],
      },
      {
        prompt: 'PRIVATE-PROMPT limited',
        turns: [{ attempts: [{ error: limited }, { text: 'PRIVATE-ANSWER' }] }],
      },
      { prompt: 'PRIVATE-PROMPT login', turns: [{ error: { status: 400, message: 'PRIVATE' } }] },
      { prompt: 'PRIVATE-PROMPT stall', turns: [{ text: 'PRIVATE-ANSWER', endless: 'stall' }] },
    ],
    {
      files: {
        'plan.yaml':
          'name: tour\nsteps:\n' +
          '  - { id: limited, prompt: PRIVATE-PROMPT limited }\n' +
          '  - { id: login, prompt: PRIVATE-PROMPT login }\n' +
          '  - { id: last, prompt: PRIVATE-PROMPT one, needs: [login] }\n',
      },
    },
  );
  const otlp = ['--otlp', receiver.url];
  const variables = {
    TRACEPARENT: `00-${TRACE}-${PARENT}-01`,
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  };

  const one = startCommand(lab, ['run', 'PRIVATE-PROMPT one', ...flags, ...otlp], variables);
  expect(await one.done).toMatchObject({ code: 0 });
  const spans = receiver.spans();
  const [agent] = spans.filter(({ name }) => name === 'invoke_agent gemini-cli');
  expect(agent).toMatchObject({
    traceId: TRACE,
    parentSpanId: PARENT,
    status: { code: 0 },
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'gcp.gen_ai',
      'gen_ai.agent.name': 'gemini-cli',
      'gen_ai.agent.version': '0.61.0',
      'gen_ai.request.model': 'gemini-2.5-flash',
      'gen_ai.response.model': 'gemini-2.5-flash',
      'gen_ai.conversation.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'gen_ai.usage.input_tokens': 1200,
      'gen_ai.usage.output_tokens': 540,
      'gen_ai.usage.cache_read.input_tokens': 400,
      'gen_ai.usage.reasoning.output_tokens': 500,
      'gemini_cli_provider.files': 1,
      'gemini_cli_provider.denied_tools': 1,
      'gemini_cli_provider.cost.usd': expect.any(Number),
    },
  });
  const tools = spans.filter(({ parentSpanId }) => parentSpanId === agent?.spanId);
  expect(tools.map(({ name, status }) => [name, status.code])).toEqual([
    ['execute_tool write_file', 0],
    ['execute_tool run_shell_command', ERROR],
  ]);
  expect(spans).toHaveLength(3);
  expect(receiver.resources()[0]).toMatchObject({
    'service.name': 'gemini-cli-provider',
    'deployment.environment.name': 'test',
  });
  expect(receiver.metric('gen_ai.client.token.usage', 'gen_ai.token.type')).toEqual({
    input: 1200,
    output: 540,
  });
  expect(receiver.metric('gemini_cli_provider.tokens', 'gemini_cli_provider.token.type')).toEqual({
    input: 800,
    cached: 400,
    output: 40,
    thoughts: 500,
  });
  const costs = receiver.metric('gemini_cli_provider.cost', 'gen_ai.response.model');
  expect(costs['gemini-2.5-flash']).toBeCloseTo((800 * 0.3 + 400 * 0.03 + 540 * 2.5) / 1e6, 9);
  expect(receiver.metric('gen_ai.execute_tool.duration', 'gen_ai.tool.name')).toEqual({
    write_file: expect.any(Number),
    run_shell_command: expect.any(Number),
  });
  expect(receiver.bodies.join()).not.toContain('PRIVATE');
  receiver.clear();

  const batch = startCommand(lab, ['batch', 'plan.yaml', '--out', 'out', ...flags, ...otlp]);
  expect(await batch.done).toMatchObject({ code: 10 });
  const all = receiver.spans();
  const [workflow] = all.filter(({ name }) => name === 'invoke_workflow tour');
  expect(workflow).toMatchObject({
    parentSpanId: '',
    status: { code: ERROR, message: 'failed' },
    attributes: { 'gen_ai.workflow.name': 'tour', 'gemini_cli_provider.outcome': 'failed' },
  });
  expect(all.every(({ traceId }) => traceId === workflow?.traceId)).toBe(true);
  const agents = all.filter(({ name }) => name.startsWith('invoke_agent'));
  expect(agents.map((span) => pathOf(span, all).slice(1)).sort()).toEqual([
    ['attempt', 'step limited', 'invoke_workflow tour'],
    ['attempt', 'step limited', 'invoke_workflow tour'],
    ['attempt', 'step login', 'invoke_workflow tour'],
  ]);
  const [first, second] = all.filter(
    ({ name, attributes }) =>
      name === 'attempt' && attributes['gemini_cli_provider.step.id'] === 'limited',
  );
  expect(first).toMatchObject({ status: { code: ERROR, message: 'RATE_LIMITED' }, links: [] });
  expect(second).toMatchObject({ status: { code: 0 }, links: [{ spanId: first?.spanId }] });
  const [login] = all.filter(({ name }) => name === 'step login');
  expect(login?.status).toEqual({ code: ERROR, message: 'API_REQUEST' });
  expect(receiver.metric('gemini_cli_provider.retries', 'gemini_cli_provider.retry.kind')).toEqual(
    expect.objectContaining({ attempt: 1 }),
  );
  expect(
    receiver.metric('gemini_cli_provider.batch.steps', 'gemini_cli_provider.step.state'),
  ).toEqual({ succeeded: 1, failed: 1, skipped: 1 });
  expect(receiver.metric('gen_ai.workflow.duration', 'error.type')).toEqual({
    failed: expect.any(Number),
  });
  expect(receiver.bodies.join()).not.toContain('PRIVATE');
  receiver.clear();

  const stalled = startCommand(lab, ['run', 'PRIVATE-PROMPT stall', '--json', ...flags, ...otlp]);
  await vi.waitUntil(() => lab.model.requests.at(-1)?.prompt.includes('stall'), 60_000);
  stalled.child.kill('SIGINT');
  expect(await stalled.done).toMatchObject({ code: 130 });
  expect(receiver.spans()).toMatchObject([{ status: { code: ERROR, message: 'CANCELLED' } }]);
});

test('an endpoint that is away is named once, and the step has its result and exit code', async () => {
  const lab = await openLab([{ text: 'Done.' }]);
  const dead = ['--otlp', 'http://127.0.0.1:9'];
  const { code, stdout, stderr } = await startCommand(lab, ['run', 'go', ...flags, ...dead]).done;
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' });
  expect(stderr.match(/Telemetry cannot be sent to http:\/\/127\.0\.0\.1:9\//g)).toHaveLength(1);

  const wrong = await startCommand(lab, [
    'run',
    'go',
    '--json',
    ...flags,
    '--otlp',
    'localhost:4318',
  ]).done;
  expect(wrong.code).toBe(2);
  expect(JSON.parse(wrong.stdout)).toMatchObject({ ok: false, error: { code: 'INVALID_INPUT' } });
  expect(lab.model.requests).toHaveLength(1);
});

test("the CLI's own export carries the ids of the step's span", async () => {
  const receiver = await startOtlpReceiver();
  const lab = await openLab([{ text: 'Done.' }]);
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  const provider = traced(lab.provider, { tracerProvider, cliTelemetry: 'correlate' });
  const { context } = await provider.generate(
    'go',
    { mine: 1 },
    {
      env: {
        ...lab.model.env,
        GEMINI_TELEMETRY_ENABLED: 'true',
        GEMINI_TELEMETRY_TRACES_ENABLED: 'true',
        GEMINI_TELEMETRY_TARGET: 'local',
        GEMINI_TELEMETRY_OTLP_ENDPOINT: receiver.url,
        GEMINI_TELEMETRY_OTLP_PROTOCOL: 'http',
        GEMINI_TELEMETRY_LOG_PROMPTS: 'false',
        OTEL_RESOURCE_ATTRIBUTES: 'service.namespace=pipe',
      },
    },
  );
  expect(context).toEqual({ mine: 1 });
  const [span] = exporter.getFinishedSpans();
  expect(span?.kind).toBe(api.SpanKind.INTERNAL);
  expect(receiver.resources()).toContainEqual(
    expect.objectContaining({
      'service.namespace': 'pipe',
      'gemini_cli_provider.trace_id': span?.spanContext().traceId,
      'gemini_cli_provider.span_id': span?.spanContext().spanId,
    }),
  );
});
