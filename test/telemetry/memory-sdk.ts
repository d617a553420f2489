import type { Attributes } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';

/** The real SDK, which keeps spans and metrics in memory. */
export function createMemorySdk() {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metrics });
  const meterProvider = new MeterProvider({ readers: [reader] });
  return {
    providers: { tracerProvider, meterProvider },
    spans: (): ReadableSpan[] => exporter.getFinishedSpans(),
    find: (name: string): ReadableSpan => {
      const found = exporter.getFinishedSpans().find((span) => span.name === name);
      if (found === undefined) throw new Error(`There is no span ${name}`);
      return found;
    },
    /** Values of a metric with their attributes: the sum of a counter, or of a histogram. */
    read: async (name: string): Promise<{ value: number; attributes: Attributes }[]> => {
      metrics.reset();
      await reader.forceFlush();
      return metrics
        .getMetrics()
        .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
        .filter(({ descriptor }) => descriptor.name === name)
        .flatMap(({ dataPoints }) =>
          dataPoints.map(({ value, attributes }) => ({
            value: typeof value === 'number' ? value : (value.sum ?? 0),
            attributes,
          })),
        );
    },
  };
}
