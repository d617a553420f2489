import type { Attributes, MeterProvider, TracerProvider } from '@opentelemetry/api';

/** Options of `traced` and `traceBatch`. */
export interface TracingOptions {
  /**
   * Provider of the tracer.
   *
   * @defaultValue the global one of `@opentelemetry/api`, at the time of each step
   */
  readonly tracerProvider?: TracerProvider | undefined;
  /**
   * Provider of the meter.
   *
   * @defaultValue the global one of `@opentelemetry/api`, at the time of each step
   */
  readonly meterProvider?: MeterProvider | undefined;
  /**
   * Put prompts, answers, arguments and outputs of tools, and messages of errors into the spans. They may contain source
   * code and personal data. Each text is cut after 32,768 characters.
   *
   * @defaultValue `false`
   */
  readonly recordContent?: boolean | undefined;
  /**
   * `correlate`: the CLI's own export carries the ids of the trace and of the step's span as resource attributes. The
   * export itself is turned on by the variables of the CLI. Only with `transport: 'headless'`.
   *
   * @defaultValue `'off'`
   */
  readonly cliTelemetry?: 'off' | 'correlate' | undefined;
  /**
   * Value of `gen_ai.provider.name`: `gcp.gemini` for an API key, `gcp.vertex_ai` for Vertex AI.
   *
   * @defaultValue `'gcp.gen_ai'` for the Gemini CLI and a queue, the provider's own name for another agent
   */
  readonly providerName?: string | undefined;
  /**
   * Attributes that every span gets.
   *
   * @defaultValue `{}`
   */
  readonly attributes?: Attributes | undefined;
  /**
   * Parent of steps and batches whose context has no `traceparent`, if no span is active: a `traceparent` of W3C Trace
   * Context.
   *
   * @defaultValue none
   */
  readonly traceparent?: string | undefined;
}
