import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type { ResponseProvider } from 'gemini-cli-provider';
import { traced } from 'gemini-cli-provider/otel';
import { expect, test } from 'vitest';
import { openLab } from '../support.js';
import { writing } from '../tool-calls.js';
import { openQueueLab } from './queue-lab.js';

function createTracer() {
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  const tracerProvider = new BasicTracerProvider({ spanProcessors });
  return {
    trace: (provider: ResponseProvider) => traced(provider, { tracerProvider }),
    spans: () => exporter.getFinishedSpans(),
  };
}

test('a trace goes through the queue to the real CLI on a worker, and cost and thoughts come back', async () => {
  const lab = await openLab([
    writing('hello.txt', 'hi\n'),
    { text: 'Done.', usage: { prompt: 1000, cached: 400, output: 20, thoughts: 500 } },
  ]);
  const queue = await openQueueLab('postgres');
  const [caller, worker] = [createTracer(), createTracer()];
  const secret = 'a secret of both sides';
  await queue.work({ provider: worker.trace(lab.provider), secret, workerName: 'one' });
  const provider = caller.trace(queue.connect({ secret }));
  const { usage, cost, job, context } = await provider.generate('go', { mine: 1 });
  expect(context).toEqual({ mine: 1 });
  expect(job).toMatchObject({ worker: 'one' });
  expect(usage).toMatchObject({ input: 1100, cached: 400, output: 30, thoughts: 500 });
  expect(cost?.usd).toBeCloseTo((700 * 0.3 + 400 * 0.03 + 530 * 2.5) / 1e6, 9);
  const outer = caller.spans().find(({ name }) => name === 'invoke_agent queued');
  expect(outer?.attributes).toMatchObject({
    'gemini_cli_provider.worker.name': 'one',
    'gemini_cli_provider.cost.usd': cost?.usd,
  });
  // The caller has the tool calls, so that they are not there twice.
  const [tool] = caller.spans();
  expect(tool?.name).toBe('execute_tool write_file');
  expect(tool?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId);
  const [inner, ...others] = worker.spans();
  expect(others).toEqual([]);
  expect(inner?.name).toBe('invoke_agent gemini-cli');
  expect(inner?.parentSpanContext).toMatchObject({
    traceId: outer?.spanContext().traceId,
    spanId: outer?.spanContext().spanId,
    isRemote: true,
  });
  expect(inner?.attributes['gemini_cli_provider.job.id']).toBe(job?.jobId);
});
