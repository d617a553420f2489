import { invalidInput } from '../base/errors/invalid-input.js';
import { ProviderError } from '../base/errors/provider-error.js';
import { isObject } from '../base/json/is-object.js';
import { createSuggest } from '../base/text/nearest-name.js';

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

/** Refuses a key that is not known: a typing error would otherwise be a setting without effect. */
export function checkKeys(
  record: Readonly<Record<string, unknown>>,
  path: string,
  known: readonly string[],
): void {
  const unknown = Object.keys(record).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const suggestion = createSuggest(known)(unknown);
  throw new ProviderError({
    code: 'INVALID_INPUT',
    message: `${path} has the unknown key ${JSON.stringify(unknown.slice(0, 80))}${suggestion}`,
    hint: `Known keys of ${path}: ${known.join(', ')}.`,
  });
}

export function refuse(path: string, wanted: string, value: unknown): never {
  throw invalidInput(path, wanted, value);
}
