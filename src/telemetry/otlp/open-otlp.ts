import * as api from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { messageOf } from '../../base/errors/message-of.js';
import { readPackageVersion } from '../../base/fs/package-version.js';
import { settlesWithin } from '../../base/process/timing.js';
import { SCOPE } from '../instruments.js';
import type { OtelApi } from '../load-otel-api.js';
import type { TracingOptions } from '../tracing-options.js';

/** Longest time of one request, with the exporter's own retries. */
const REQUEST_MS = 2_000;
/** Longest wait for the last request. A command must end, whatever the endpoint does. */
const FLUSH_MS = 2_500;
/** Longest wait if no request has succeeded so far and one has failed. */
const DEAD_FLUSH_MS = 300;
const SPANS_EVERY_MS = 1_000;
const METRICS_EVERY_MS = 10_000;

export interface OtlpRequest {
  /** Base URL of the endpoint, as `http://localhost:4318/`. */
  readonly endpoint: URL;
  /** Called once, with the first problem of the endpoint. */
  readonly onProblem: (message: string) => void;
}

/** An export over OTLP/HTTP that is open. */
export interface OpenOtlp {
  readonly api: OtelApi;
  readonly providers: Required<Pick<TracingOptions, 'tracerProvider' | 'meterProvider'>>;
  /** Sends what is left, for a limited time. Never throws. */
  close(): Promise<void>;
}

/**
 * Opens an export of spans and metrics over OTLP/HTTP with JSON. Headers and certificates come from the variables that
 * OpenTelemetry names, such as OTEL_EXPORTER_OTLP_HEADERS and OTEL_RESOURCE_ATTRIBUTES. An endpoint that does not answer
 * costs the steps nothing: requests are made beside them.
 */
export function openOtlp({ endpoint, onProblem }: OtlpRequest): OpenOtlp {
  let hasAnswered = false;
  let hasFailed = false;
  const accept = (result: ExportResult): void => {
    if (result.code === 0) hasAnswered = true;
    else if (!hasFailed) {
      hasFailed = true;
      onProblem(messageOf(result.error));
    }
  };
  const base = endpoint.href.replace(/\/*$/, '/');
  const settings = { timeoutMillis: REQUEST_MS };
  const resource = defaultResource()
    .merge(
      resourceFromAttributes({ 'service.name': SCOPE, 'service.version': readPackageVersion() }),
    )
    .merge(detectResources({ detectors: [envDetector] }));
  const spans = new OTLPTraceExporter({ ...settings, url: `${base}v1/traces` });
  const tracerProvider = new BasicTracerProvider({
    resource,
    spanProcessors: [
      new BatchSpanProcessor(watchResults(spans, accept), {
        scheduledDelayMillis: SPANS_EVERY_MS,
        exportTimeoutMillis: REQUEST_MS,
        maxQueueSize: 16_384,
      }),
    ],
  });
  const metrics: PushMetricExporter = new OTLPMetricExporter({
    ...settings,
    url: `${base}v1/metrics`,
  });
  const meterProvider = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: watchResults(metrics, accept),
        exportIntervalMillis: METRICS_EVERY_MS,
        exportTimeoutMillis: REQUEST_MS,
      }),
    ],
  });
  return {
    api,
    providers: { tracerProvider, meterProvider },
    close: async () => {
      const ended = Promise.allSettled([tracerProvider.shutdown(), meterProvider.shutdown()]);
      await settlesWithin(ended, hasFailed && !hasAnswered ? DEAD_FLUSH_MS : FLUSH_MS);
    },
  };
}

interface ExportResult {
  readonly code: number;
  readonly error?: Error;
}

/** Shows the results of an exporter to a listener. */
function watchResults<
  Items,
  Exporter extends { export(items: Items, done: (result: ExportResult) => void): void },
>(exporter: Exporter, onResult: (result: ExportResult) => void): Exporter {
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) =>
    send(items, (result) => {
      onResult(result);
      done(result);
    });
  return exporter;
}
