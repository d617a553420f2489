import type { BatchOptions } from '../contract/batch-options.js';
import type { BatchLimits } from '../contract/batch-plan.js';
import { ProviderError } from '../errors/provider-error.js';

/** The limits among the options of a batch. Throws INVALID_CONFIG for those it could never keep. */
export function readLimits(options: BatchOptions): BatchLimits {
  const { concurrency, maxTotalTokens, maxDuration, maxFailures, maxRetries, failFast } = options;
  const whole = { concurrency, maxTotalTokens, maxFailures };
  const problems = [
    ...Object.entries(whole).filter(([, value]) => !isNumber(value, 1) || !isWhole(value)),
    ...Object.entries({ maxRetries }).filter(([, value]) => !isNumber(value, 0) || !isWhole(value)),
    ...Object.entries({ maxDuration }).filter(([, value]) => !isNumber(value, Number.MIN_VALUE)),
  ].map(([key, value]) => ({ key, value, problem: 'is no number that makes sense here' }));
  if (problems.length > 0) {
    const keys = problems.map(({ key, value }) => `${key} ${value}`).join(', ');
    const message = `The limits of the batch make no sense: ${keys}`;
    throw new ProviderError({ code: 'INVALID_CONFIG', message, problems });
  }
  const given = { ...whole, maxRetries, maxDuration, failFast };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function isNumber(value: number | undefined, least: number): boolean {
  return value === undefined || (typeof value === 'number' && value >= least);
}

function isWhole(value: number | undefined): boolean {
  return value === undefined || value === Number.POSITIVE_INFINITY || Number.isInteger(value);
}
