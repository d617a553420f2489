import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startOtlpReceiver } from '../../../integration/otlp-receiver.js';
import { openOtlp } from '../../../src/telemetry/otlp/open-otlp.js';

/** Starts an endpoint that answers each request with this status. Returns its URL. */
async function startEndpoint(status: number): Promise<URL> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
}

function record({ providers }: ReturnType<typeof openOtlp>, name: string): void {
  providers.tracerProvider?.getTracer('t').startSpan(name).end();
  providers.meterProvider?.getMeter('t').createCounter('count').add(2, { kind: name });
}

it('sends spans and metrics to the paths below the endpoint, with the name of this package', async () => {
  const receiver = await startOtlpReceiver();
  vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment=test');
  onTestFinished(() => void vi.unstubAllEnvs());
  const onProblem = vi.fn();
  const endpoint = new URL(`${receiver.url}//`);
  const otlp = openOtlp({ endpoint, onProblem });
  record(otlp, 'one');
  await otlp.close();
  expect(receiver.spans().map(({ name }) => name)).toEqual(['one']);
  expect(receiver.resources()).toMatchObject([
    { 'service.name': 'gemini-cli-provider', 'deployment.environment': 'test' },
  ]);
  expect(receiver.metric('count', 'kind')).toEqual({ one: 2 });
  expect(onProblem).not.toHaveBeenCalled();
});

it('tells once of an endpoint that refuses everything, and ends all the same', async () => {
  const problems: string[] = [];
  const endpoint = await startEndpoint(400);
  const otlp = openOtlp({ endpoint, onProblem: (problem) => void problems.push(problem) });
  record(otlp, 'one');
  await otlp.close();
  await vi.waitUntil(() => problems.length > 0);
  expect(problems).toEqual(['Bad Request']);
});

it('does not wait for long for an endpoint that has never answered', async () => {
  const problems: string[] = [];
  const endpoint = new URL('http://127.0.0.1:1/');
  const otlp = openOtlp({ endpoint, onProblem: (problem) => void problems.push(problem) });
  record(otlp, 'one');
  await otlp.close();
  expect(problems.length).toBeLessThanOrEqual(1);
  record(otlp, 'after the end');
  await otlp.close();
});
