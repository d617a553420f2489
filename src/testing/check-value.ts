import { invalidInput } from '../base/errors/invalid-input.js';
import { ProviderError } from '../base/errors/provider-error.js';
import { isObject } from '../base/json/is-object.js';

export function checkRecord(value: unknown, path: string): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : refuse(path, 'an object', value);
}

export function checkList(
  value: unknown,
  path: string,
  checkEntry: (entry: unknown, path: string) => void,
): void {
  if (!Array.isArray(value)) refuse(path, 'a list', value);
  for (const [index, entry] of value.entries()) checkEntry(entry, `${path}[${index}]`);
}

/** Returns the value as JSON text. Throws for big integers and circular references, which JSON cannot express. */
export function checkJsonValue(value: unknown, path: string): string {
  try {
    return JSON.stringify(value, undefined, 2);
  } catch (cause) {
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `${path} must be JSON, without big integers and circular references`,
      hint: `Correct ${path} of the script.`,
      cause,
    });
  }
}

export function refuse(path: string, wanted: string, value: unknown): never {
  throw invalidInput(path, wanted, value);
}
