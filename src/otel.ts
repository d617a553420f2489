import type { BatchObserver } from './api/batch-observer.js';
import type { ResponseProvider } from './api/response-provider.js';
import { readStepResult } from './step/read-step-result.js';
import { createTracing } from './telemetry/create-tracing.js';
import { loadOtelApi } from './telemetry/load-otel-api.js';
import type { TracingOptions } from './telemetry/tracing-options.js';

export type { BatchObserver } from './api/batch-observer.js';
export type { TracingOptions } from './telemetry/tracing-options.js';

const tracing = createTracing({ loadApi: loadOtelApi, readResult: readStepResult });

/**
 * Wraps a provider: each step becomes a span `invoke_agent`, each tool call a span `execute_tool` below it, and tokens, cost,
 * durations, retries and waits become metrics. Results, events and errors stay as they are. A provider that is traced already
 * is returned as it is. The first step, or `validate()`, throws INVALID_CONFIG if `@opentelemetry/api` is not installed.
 */
function traced<Options extends object>(
  provider: ResponseProvider<Options>,
  options: TracingOptions = {},
): ResponseProvider<Options> {
  return tracing.traced(provider, options);
}

/**
 * Creates the observer of one batch, for `runBatch(plan, { observer })`: the run becomes a span `invoke_workflow`, with a span
 * for each step and each attempt. The observer also wraps the provider of the batch with `traced`. Throws INVALID_CONFIG if
 * `@opentelemetry/api` is not installed.
 */
function traceBatch(options: TracingOptions = {}): Promise<BatchObserver> {
  return tracing.traceBatch(options);
}

export { traceBatch, traced };
