import { Option } from 'commander';

/** Value of `--otlp` that stands for the variable. */
export const FROM_ENDPOINT_VARIABLE = 'env';
export const ENDPOINT_VARIABLE = 'OTEL_EXPORTER_OTLP_ENDPOINT';

export interface OtlpFlags {
  readonly otlp?: string;
}

/** Creates the flag of the commands that run steps. */
export function createOtlpFlag(): Option {
  return new Option(
    '--otlp <endpoint>',
    `Send spans and metrics, without prompts and answers, to this OTLP/HTTP endpoint, as http://localhost:4318; "${FROM_ENDPOINT_VARIABLE}" for the variable ${ENDPOINT_VARIABLE}`,
  );
}
