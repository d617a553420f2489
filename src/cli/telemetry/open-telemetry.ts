import { ProviderError } from '../../base/errors/provider-error.js';
import { type Environment, readEnvironment } from '../../base/process/environment.js';
import { readStepResult } from '../../step/read-step-result.js';
import { createTracing, type Tracing } from '../../telemetry/create-tracing.js';
import type { TracingOptions } from '../../telemetry/tracing-options.js';
import type { ConnectionNotices } from '../queue/connection-notices.js';
import { hideCredentials } from '../queue/hide-credentials.js';
import { ENDPOINT_VARIABLE, FROM_ENDPOINT_VARIABLE } from './otlp-flag.js';

/** The telemetry of a command. */
export interface CommandTelemetry {
  readonly tracing: Tracing;
  readonly options: TracingOptions;
  /** Where the user is told that the endpoint does not answer. The view of a command comes later than its telemetry. */
  readonly notices: ConnectionNotices;
  /** Sends what is left, for a limited time. Never throws. */
  close(): Promise<void>;
}

/** Opens the telemetry of a command for a value of `--otlp`. Throws INVALID_INPUT for a wrong endpoint. */
export async function openTelemetry(
  otlp: string,
  say: (line: string) => void,
): Promise<CommandTelemetry> {
  const environment = readEnvironment();
  const endpoint = toEndpoint(otlp, environment);
  const notices: ConnectionNotices = { show: say };
  const { openOtlp } = await import('../../telemetry/otlp/open-otlp.js');
  const onProblem = (problem: string): void => {
    const shown = hideCredentials(endpoint.href);
    notices.show(`Telemetry cannot be sent to ${shown}: ${problem}. The steps go on without it.`);
  };
  const { api, providers, close } = openOtlp({ endpoint, onProblem });
  return {
    tracing: createTracing({ loadApi: async () => api, readResult: readStepResult }),
    // A pipeline that has a trace of its own gives the position in the variable TRACEPARENT.
    options: { ...providers, traceparent: environment['TRACEPARENT'] },
    notices,
    close,
  };
}

function toEndpoint(given: string, environment: Environment): URL {
  const text = given === FROM_ENDPOINT_VARIABLE ? environment[ENDPOINT_VARIABLE] : given;
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  const source = given === FROM_ENDPOINT_VARIABLE ? `The variable ${ENDPOINT_VARIABLE}` : '--otlp';
  throw new ProviderError({
    code: 'INVALID_INPUT',
    message: `${source} is not the URL of an OTLP/HTTP endpoint`,
    hint: 'Give the base URL without /v1/traces, such as --otlp http://localhost:4318.',
  });
}
