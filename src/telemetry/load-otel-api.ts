import { ProviderError } from '../base/errors/provider-error.js';

/** The parts of the OpenTelemetry API that this wing uses. */
export type OtelApi = Pick<
  typeof import('@opentelemetry/api'),
  'trace' | 'metrics' | 'context' | 'SpanKind' | 'SpanStatusCode'
>;

/** Loads the optional peer when it is first needed. Throws INVALID_CONFIG that names the `npm install`. */
export async function loadOtelApi(
  importPackage: () => Promise<OtelApi> = () => import('@opentelemetry/api'),
): Promise<OtelApi> {
  try {
    const { trace, metrics, context, SpanKind, SpanStatusCode } = await importPackage();
    return { trace, metrics, context, SpanKind, SpanStatusCode };
  } catch (error) {
    throw new ProviderError({
      code: 'INVALID_CONFIG',
      message: 'Telemetry needs the package @opentelemetry/api, which cannot be loaded',
      hint: 'Run `npm install @opentelemetry/api` in the project.',
      cause: error,
    });
  }
}
