import type { AgentEvent } from '../api/agent-event.js';
import type { BatchObserver } from '../api/batch-observer.js';
import type { ResponseProvider } from '../api/response-provider.js';
import type { GenerateResult } from '../api/result.js';
import { acceptTracingOptions, assertTraceable } from './accept-tracing.js';
import { BatchSpans } from './batch-spans.js';
import type { OtelApi } from './load-otel-api.js';
import { Recorder } from './recorder.js';
import { TracedProvider } from './traced-provider.js';
import type { TracingOptions } from './tracing-options.js';

/** What tracing needs from outside of this wing. */
export interface TracingParts {
  /** Loads the OpenTelemetry API. */
  readonly loadApi: () => Promise<OtelApi>;
  /** Reads the events of a step up to its result, with the messages of the step. */
  readonly readResult: (events: AsyncIterable<AgentEvent>) => Promise<GenerateResult>;
}

/** Functions that trace steps and batches. */
export interface Tracing {
  readonly traced: <Options extends object>(
    provider: ResponseProvider<Options>,
    options?: TracingOptions,
  ) => ResponseProvider<Options>;
  readonly traceBatch: (options?: TracingOptions) => Promise<BatchObserver>;
}

/** Creates the functions that trace steps and batches. */
export function createTracing({ loadApi, readResult }: TracingParts): Tracing {
  let loading: Promise<OtelApi> | undefined;
  const openRecorder = async (options: TracingOptions): Promise<Recorder> => {
    loading ??= loadApi();
    return new Recorder(await loading, options);
  };
  const traced: Tracing['traced'] = (provider, given = {}) => {
    assertTraceable(provider);
    const options = acceptTracingOptions(given);
    if (provider instanceof TracedProvider) return provider;
    let opening: Promise<Recorder> | undefined;
    const open = (): Promise<Recorder> => {
      opening ??= openRecorder(options);
      return opening;
    };
    return new TracedProvider({ provider, open, readResult });
  };
  const traceBatch: Tracing['traceBatch'] = async (given = {}) => {
    const options = acceptTracingOptions(given);
    const recorder = await openRecorder(options);
    return new BatchSpans(recorder, (provider) => traced(provider, options));
  };
  return { traced, traceBatch };
}
