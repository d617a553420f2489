import { expect, it, onTestFinished, vi } from 'vitest';
import { startOtlpReceiver } from '../../../integration/otlp-receiver.js';
import { openTelemetry } from '../../../src/cli/telemetry/open-telemetry.js';
import { createOtlpFlag } from '../../../src/cli/telemetry/otlp-flag.js';
import { fakeSteps, session, succeeds } from '../../engines/ai-sdk/fake-steps.js';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

function setVariables(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

it('sends the spans of steps, as a part of the trace of the pipeline, to the endpoint of the variable', async () => {
  const receiver = await startOtlpReceiver();
  setVariables({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, TRACEPARENT });
  const lines: string[] = [];
  const telemetry = await openTelemetry('env', (line) => void lines.push(line));
  const provider = telemetry.tracing.traced(fakeSteps([session, succeeds()]), telemetry.options);
  await provider.generate('go');
  await telemetry.close();
  expect(receiver.spans()).toMatchObject([
    { name: 'invoke_agent fake', traceId: TRACEPARENT.split('-')[1] },
  ]);
  expect(lines).toEqual([]);
});

it('tells of an endpoint that does not answer, without its password, where the view says', async () => {
  const telemetry = await openTelemetry('http://user:the-password@127.0.0.1:1', () => {
    throw new Error('The view is there already');
  });
  const lines: string[] = [];
  telemetry.notices.show = (line) => void lines.push(line);
  const provider = telemetry.tracing.traced(fakeSteps([session, succeeds()]), telemetry.options);
  expect((await provider.generate('go')).generationId).toBe('generation-1');
  await telemetry.close();
  await vi.waitUntil(() => lines.length > 0, 5_000);
  expect(lines).toEqual([
    expect.stringMatching(/^Telemetry cannot be sent to http:\/\/user:…@127\.0\.0\.1:1\/: /),
  ]);
  expect(lines[0]).toMatch(/The steps go on without it\.$/);
});

it.each([
  ['localhost:4318', '--otlp is not the URL'],
  ['grpc://localhost:4317', '--otlp is not the URL'],
  ['', '--otlp is not the URL'],
  ['env', 'The variable OTEL_EXPORTER_OTLP_ENDPOINT is not the URL'],
])('refuses %j as an endpoint', async (given, problem) => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(openTelemetry(given, () => {})).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining(problem),
  });
});

it('the flag of the commands says what is sent', () => {
  expect(createOtlpFlag()).toMatchObject({
    long: '--otlp',
    description: expect.stringContaining('without prompts and answers'),
  });
});
