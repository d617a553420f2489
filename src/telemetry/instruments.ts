import type { Counter, Histogram, MeterProvider } from '@opentelemetry/api';
import { readPackageVersion } from '../base/fs/package-version.js';

/** Name under which spans and metrics are recorded. */
export const SCOPE = 'gemini-cli-provider';

/** Bounds of the buckets in seconds: from a warm step to a step of an hour. */
const SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304];

/** The metrics of this wing. */
export interface Instruments {
  readonly tokenUsage: Histogram;
  readonly tokens: Counter;
  readonly cost: Counter;
  readonly stepDuration: Histogram;
  readonly toolDuration: Histogram;
  readonly batchDuration: Histogram;
  readonly batchSteps: Counter;
  readonly retries: Counter;
  readonly wait: Histogram;
}

const known = new WeakMap<MeterProvider, Instruments>();

/** Returns the metrics of a meter provider. The API has no stand-in that turns real later, so each step asks again. */
export function getInstruments(provider: MeterProvider): Instruments {
  const found = known.get(provider) ?? createInstruments(provider);
  known.set(provider, found);
  return found;
}

function createInstruments(provider: MeterProvider): Instruments {
  const meter = provider.getMeter(SCOPE, readPackageVersion());
  const seconds = (name: string, description: string): Histogram =>
    meter.createHistogram(name, {
      description,
      unit: 's',
      advice: { explicitBucketBoundaries: SECONDS },
    });
  return {
    tokenUsage: meter.createHistogram('gen_ai.client.token.usage', {
      description: 'Billable tokens of a step by model; cached input and thoughts are included',
      unit: '{token}',
      advice: { explicitBucketBoundaries: TOKENS },
    }),
    tokens: meter.createCounter('gemini_cli_provider.tokens', {
      description: 'Tokens by model and type: input (not cached), cached, output, thoughts, tool',
      unit: '{token}',
    }),
    cost: meter.createCounter('gemini_cli_provider.cost', {
      description: 'Estimate of the cost by list price and model',
      unit: '{USD}',
    }),
    stepDuration: seconds('gen_ai.invoke_agent.duration', 'Duration of a step'),
    toolDuration: seconds('gen_ai.execute_tool.duration', 'Duration of a tool call'),
    batchDuration: seconds('gen_ai.workflow.duration', 'Duration of a run of a batch'),
    batchSteps: meter.createCounter('gemini_cli_provider.batch.steps', {
      description: 'Steps of batches by their state at the end of the run',
      unit: '{step}',
    }),
    retries: meter.createCounter('gemini_cli_provider.retries', {
      description: 'Retries by kind: request (by the CLI), repair, attempt (by a batch), worker',
      unit: '{retry}',
    }),
    wait: seconds('gemini_cli_provider.wait', 'Time that a step waited, for a worker or a slot'),
  };
}
