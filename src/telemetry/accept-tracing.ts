import type { ResponseProvider } from '../api/response-provider.js';
import { invalidInput, readInput } from '../base/errors/invalid-input.js';
import { hasMethods } from '../base/json/has-methods.js';
import { isObject } from '../base/json/is-object.js';
import type { TracingOptions } from './tracing-options.js';

type Check = readonly [isRight: (value: unknown) => boolean, wanted: string];

const CHECKS: Readonly<Record<keyof TracingOptions, Check>> = {
  tracerProvider: [(value) => hasMethods(value, 'getTracer'), 'a TracerProvider'],
  meterProvider: [(value) => hasMethods(value, 'getMeter'), 'a MeterProvider'],
  recordContent: [(value) => typeof value === 'boolean', 'true or false'],
  cliTelemetry: [(value) => value === 'off' || value === 'correlate', '"off" or "correlate"'],
  providerName: [(value) => typeof value === 'string' && value !== '', 'a text that is not empty'],
  attributes: [isObject, 'an object'],
  // A text that is no traceparent is ignored: it often comes from a variable, and must not fail a step.
  traceparent: [(value) => typeof value === 'string', 'a text'],
};

/** Throws INVALID_INPUT unless the value can be traced. */
export function assertTraceable(provider: unknown): asserts provider is ResponseProvider {
  if (!readInput('provider', () => hasMethods(provider, 'stream')))
    throw invalidInput('provider', 'a ResponseProvider', provider);
}

/** Returns a copy of the options. Throws INVALID_INPUT for a value of the wrong type and for an unknown key. */
export function acceptTracingOptions(options: unknown): TracingOptions {
  return readInput('options', () => {
    if (!isObject(options)) throw invalidInput('options', 'an object', options);
    const given: TracingOptions = { ...options };
    for (const [key, value] of Object.entries(given)) {
      const [isRight, wanted] = checkOf(key);
      if (value !== undefined && !isRight(value))
        throw invalidInput(`options.${key}`, wanted, value);
    }
    return given;
  });
}

function checkOf(key: string): Check {
  const [, check] = Object.entries(CHECKS).find(([name]) => name === key) ?? [];
  if (check !== undefined) return check;
  throw invalidInput('a key of options', `one of ${Object.keys(CHECKS).join(', ')}`, key);
}
