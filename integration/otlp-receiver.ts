import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

const attributesSchema = z
  .array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) }))
  .default([])
  .transform((list) =>
    Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]])),
  );

const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().default(''),
  name: z.string(),
  status: z.object({ code: z.int().default(0), message: z.string().default('') }).prefault({}),
  attributes: attributesSchema,
  links: z.array(z.object({ spanId: z.string() })).default([]),
});
export type ReceivedSpan = z.output<typeof spanSchema>;

const resourceSchema = z.object({ attributes: attributesSchema });
const tracesSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: resourceSchema,
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});

const pointSchema = z.object({
  attributes: attributesSchema,
  sum: z.number().optional(),
  asInt: z.coerce.number().optional(),
  asDouble: z.number().optional(),
});
const pointsSchema = z.object({ dataPoints: z.array(pointSchema) });
const metricsSchema = z.object({
  resourceMetrics: z.array(
    z.object({
      scopeMetrics: z.array(
        z.object({
          metrics: z.array(
            z.object({
              name: z.string(),
              sum: pointsSchema.optional(),
              histogram: pointsSchema.optional(),
            }),
          ),
        }),
      ),
    }),
  ),
});

/** A receiver of OTLP/HTTP with JSON on loopback. */
export interface OtlpReceiver {
  readonly url: string;
  /** Everything that was received, as it came. */
  readonly bodies: string[];
  /** Spans of services with this name. */
  spans(service?: string): ReceivedSpan[];
  /** Resource attributes of all spans. */
  resources(): Record<string, unknown>[];
  /** Values of a metric, by the value of one attribute. Later values replace earlier ones: they are sums. */
  metric(name: string, attribute: string): Record<string, number>;
  clear(): void;
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const bodies: string[] = [];
  const traces: z.output<typeof tracesSchema>['resourceSpans'] = [];
  const metrics: z.output<typeof metricsSchema>['resourceMetrics'] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    bodies.push(body);
    if (request.url === '/v1/traces')
      traces.push(...tracesSchema.parse(JSON.parse(body)).resourceSpans);
    if (request.url === '/v1/metrics')
      metrics.push(...metricsSchema.parse(JSON.parse(body)).resourceMetrics);
    response.setHeader('content-type', 'application/json').end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    spans: (service = 'gemini-cli-provider') =>
      traces
        .filter(({ resource }) => resource.attributes['service.name'] === service)
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    resources: () => traces.map(({ resource }) => resource.attributes),
    metric: (name, attribute) =>
      Object.fromEntries(
        metrics
          .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
          .filter((metric) => metric.name === name)
          .flatMap(({ sum, histogram }) => (sum ?? histogram)?.dataPoints ?? [])
          .map((point) => [
            String(point.attributes[attribute]),
            point.sum ?? point.asInt ?? point.asDouble ?? 0,
          ]),
      ),
    clear: () => {
      for (const list of [bodies, traces, metrics]) list.length = 0;
    },
  };
}
