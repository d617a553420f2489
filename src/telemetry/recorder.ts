import type { Attributes, Context, Span, SpanOptions, Tracer } from '@opentelemetry/api';
import { readPackageVersion } from '../base/fs/package-version.js';
import { formatTraceparent, parseTraceparent } from '../base/text/traceparent.js';
import { getInstruments, type Instruments, SCOPE } from './instruments.js';
import type { OtelApi } from './load-otel-api.js';
import type { TracingOptions } from './tracing-options.js';

const MOST_CHARACTERS = 32_768;

/** Starts spans and records metrics with the providers of the options, or with the global ones. */
export class Recorder {
  readonly options: TracingOptions;
  readonly #api: OtelApi;

  constructor(api: OtelApi, options: TracingOptions) {
    this.#api = api;
    this.options = options;
  }

  get instruments(): Instruments {
    return getInstruments(this.options.meterProvider ?? this.#api.metrics.getMeterProvider());
  }

  get #tracer(): Tracer {
    const provider = this.options.tracerProvider ?? this.#api.trace.getTracerProvider();
    return provider.getTracer(SCOPE, readPackageVersion());
  }

  /** Returns the context for a span without a parent in this process: of `traceparent`, else the active one. */
  contextOf(traceparent: unknown): Context {
    const { trace, context } = this.#api;
    const active = context.active();
    const isAlone = trace.getSpan(active) === undefined;
    const position =
      parseTraceparent(traceparent) ??
      (isAlone ? parseTraceparent(this.options.traceparent) : undefined);
    return position === undefined
      ? active
      : trace.setSpanContext(active, { ...position, isRemote: true });
  }

  startSpan(name: string, parent: Context, options: SpanOptions & { isRemote?: boolean }): Span {
    const { isRemote = false, attributes, ...rest } = options;
    const kind = isRemote ? this.#api.SpanKind.CLIENT : this.#api.SpanKind.INTERNAL;
    const all: Attributes = { ...this.options.attributes, ...attributes };
    return this.#tracer.startSpan(name, { kind, ...rest, attributes: all }, parent);
  }

  /** Returns the context in which spans are children of this span. */
  inside(span: Span, parent: Context): Context {
    return this.#api.trace.setSpan(parent, span);
  }

  /** Ends a span with an error. The message may quote an answer, so it is recorded with the content alone. */
  fail(span: Span, type: string, message?: string): void {
    span.setAttribute('error.type', type);
    const text = this.cut(message);
    span.setStatus({ code: this.#api.SpanStatusCode.ERROR, message: text ?? type });
    span.end();
  }

  /** Returns a text of the content, cut to its limit. Undefined unless the content is recorded. */
  cut(text: string | undefined): string | undefined {
    return this.options.recordContent === true ? text?.slice(0, MOST_CHARACTERS) : undefined;
  }
}

/** Returns the `traceparent` of a span. Undefined if no SDK is installed and the span has no parent. */
export function traceparentOf(span: Span): string | undefined {
  const traceparent = formatTraceparent(span.spanContext());
  return parseTraceparent(traceparent) && traceparent;
}
