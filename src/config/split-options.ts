import { readOptions } from './accept-config.js';
import { invalidConfig } from './config-problem.js';

export interface SplitOptions {
  readonly signal: AbortSignal | undefined;
  /** Options that override the configuration of the provider. */
  readonly overrides: object;
}

/** Splits the options of one step into the signal and the rest. Throws INVALID_CONFIG for a wrong signal. */
export function splitOptions(options: unknown): SplitOptions {
  const { signal, ...overrides }: { signal?: unknown } = readOptions(options, 'options');
  if (signal === undefined || signal === null) return { signal: undefined, overrides };
  if (signal instanceof AbortSignal) return { signal, overrides };
  throw invalidConfig([{ key: 'signal', value: typeof signal, problem: 'must be an AbortSignal' }]);
}
