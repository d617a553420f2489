import type { PoolOptions } from '../api/warm-pool.js';
import { readInput } from '../base/errors/invalid-input.js';
import { readOptions } from './accept-config.js';
import { checkValues } from './check-values.js';
import { invalidConfig } from './config-problem.js';
import { poolOptions } from './schema.js';

/** Checks the options of a pool that the caller creates. Throws INVALID_CONFIG with every problem at once. */
export function acceptPoolOptions(input: unknown): PoolOptions {
  return readInput('The options of the pool', () => checkPoolOptions(input), 'INVALID_CONFIG');
}

function checkPoolOptions(input: unknown): PoolOptions {
  const options = readOptions(input, 'pool');
  const { data, problems } = checkValues(poolOptions, options, ['pool']);
  if (data === undefined) throw invalidConfig(problems);
  return data;
}
