/** Position in a trace, as the header `traceparent` of W3C Trace Context carries it. */
export interface TracePosition {
  /** Id of the trace: 32 hexadecimal digits. */
  readonly traceId: string;
  /** Id of the span: 16 hexadecimal digits. */
  readonly spanId: string;
  /** Flags of the trace. Bit 0: the trace is recorded. */
  readonly traceFlags: number;
}

const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Parses a `traceparent`. Returns undefined for anything else: a wrong value must not fail a step. */
export function parseTraceparent(value: unknown): TracePosition | undefined {
  const [, traceId, spanId, flags] = (typeof value === 'string' && TRACEPARENT.exec(value)) || [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
}

/** Formats a position as `traceparent`. */
export function formatTraceparent({ traceId, spanId, traceFlags }: TracePosition): string {
  return `00-${traceId}-${spanId}-${(traceFlags % 256).toString(16).padStart(2, '0')}`;
}
