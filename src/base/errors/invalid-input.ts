import { messageOf } from './message-of.js';
import { ProviderError } from './provider-error.js';

/** Creates INVALID_INPUT for a value of the wrong type. `wanted` says what the value must be. */
export function invalidInput(name: string, wanted: string, value: unknown): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `${name} must be ${wanted}, not ${describeValue(value)}`,
    hint: `Give ${wanted} as ${name}.`,
  });
}

/**
 * Runs a function that reads values of the caller. What the values themselves throw (a getter, a proxy) becomes an
 * error with the code, so that callers see one error class.
 */
export function readInput<T>(
  name: string,
  read: () => T,
  code: 'INVALID_INPUT' | 'INVALID_CONFIG' = 'INVALID_INPUT',
): T {
  try {
    return read();
  } catch (error) {
    if (ProviderError.isInstance(error)) throw error;
    throw new ProviderError({
      code,
      message: `${name} cannot be read: ${describeThrown(error)}`,
      hint: `Give plain data as ${name}: reading one of its values has thrown an error.`,
      cause: error,
    });
  }
}

/** Describes a value in a few words, whatever it is. */
export function describeValue(value: unknown): string {
  try {
    if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  } catch {
    return 'a revoked proxy';
  }
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  if (typeof value === 'number' || value === null || value === undefined) return String(value);
  return `a value of type ${typeof value}`;
}

function describeThrown(error: unknown): string {
  try {
    return messageOf(error);
  } catch {
    return 'an error without a message';
  }
}
