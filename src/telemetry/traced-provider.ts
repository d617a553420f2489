import type { AgentEvent } from '../api/agent-event.js';
import type {
  ContextKeys,
  GenerateContext,
  ProviderMetadata,
  ResponseProvider,
  ValidationReport,
} from '../api/response-provider.js';
import type { GenerateResult } from '../api/result.js';
import { readInput } from '../base/errors/invalid-input.js';
import { hasLimits, type LimitedProvider } from '../base/events/has-limits.js';
import { isObject } from '../base/json/is-object.js';
import type { Recorder } from './recorder.js';
import { StepSpans, type StepStart } from './step-spans.js';
import { TracedStream } from './traced-stream.js';

/** What a traced provider is made of. */
export interface TracedParts<Options extends object> {
  readonly provider: ResponseProvider<Options>;
  /** Opens the recorder when the first step begins. */
  readonly open: () => Promise<Recorder>;
  /** Reads the events of a step up to its result, with the messages of the step. */
  readonly readResult: (events: AsyncIterable<AgentEvent>) => Promise<GenerateResult>;
}

/** A provider that records each step of another one. Results, events and errors are those of the other provider. */
export class TracedProvider<Options extends object>
  implements ResponseProvider<Options>, LimitedProvider
{
  readonly #parts: TracedParts<Options>;

  constructor(parts: TracedParts<Options>) {
    this.#parts = parts;
  }

  get metadata(): ProviderMetadata {
    return this.#parts.provider.metadata;
  }

  async validate(): Promise<ValidationReport> {
    await this.#parts.open();
    return this.#parts.provider.validate();
  }

  generate<Context extends object = GenerateContext>(
    prompt: string,
    context?: Context & ContextKeys,
    options?: Options,
  ): Promise<GenerateResult<Context>>;
  generate(
    prompt: string,
    context?: object & ContextKeys,
    options?: Options,
  ): Promise<GenerateResult> {
    return this.#parts.readResult(this.stream(prompt, context, options));
  }

  stream(
    prompt: string,
    context?: object & ContextKeys,
    options?: Options,
  ): AsyncGenerator<AgentEvent, void> {
    const { provider, open } = this.#parts;
    return new TracedStream(async () => {
      const recorder = await open();
      const start = readStart(provider.metadata, context, options);
      const spans = new StepSpans(recorder, start);
      const events = provider.stream(prompt, addTrace(context, spans, recorder), options);
      return {
        spans,
        events: events[Symbol.asyncIterator](),
        restore: (event) => withContext(event, context),
      };
    });
  }

  keepLimits(options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const { provider } = this.#parts;
    return hasLimits(provider) ? provider.keepLimits(options) : options;
  }

  dispose(): Promise<void> {
    return this.#parts.provider.dispose();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }
}

/** Reads what a span tells of a step. Values of another type, which the provider refuses, are left out. */
function readStart(metadata: ProviderMetadata, context: unknown, options: unknown): StepStart {
  const given = readInput('context', () => (isObject(context) ? { ...context } : {}));
  const chosen = readInput('options', () => (isObject(options) ? { ...options } : {}));
  const { traceparent, jobId } = given;
  const { model, expects } = chosen;
  return {
    metadata,
    traceparent,
    jobId: typeof jobId === 'string' ? jobId : undefined,
    model: typeof model === 'string' ? model : undefined,
    expectsJson: isObject(expects) && expects['json'] !== undefined,
  };
}

/** Returns the context for the provider below. Without an SDK, and for a context that is no object, it is the caller's own. */
function addTrace(
  context: (object & ContextKeys) | undefined,
  { traceparent }: StepSpans,
  { options }: Recorder,
): (object & ContextKeys) | undefined {
  if (traceparent === undefined || (context !== undefined && !isObject(context))) return context;
  const traceCli = options.cliTelemetry === 'correlate';
  return { ...context, traceparent, ...(traceCli && { traceCli }) };
}

/** Gives the result the context that the caller gave. */
function withContext(event: AgentEvent, context: object | undefined): AgentEvent {
  if (event.type !== 'turn-complete' || event.result === undefined) return event;
  return { ...event, result: { ...event.result, context: isObject(context) ? context : {} } };
}
