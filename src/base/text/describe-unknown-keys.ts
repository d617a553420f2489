import { listNames } from './list-names.js';
import { createSuggest } from './nearest-name.js';

/** Describes unknown keys of an object, each with the most similar known one. */
export function describeUnknownKeys(keys: readonly string[], known: readonly string[]): string {
  const suggest = createSuggest(known);
  const [first = ''] = keys;
  const suggestions = keys.map((key) => suggest(key)).filter((text) => text !== '');
  const names = listNames(
    keys.map((key) => JSON.stringify(key)),
    'and',
  );
  const what =
    keys.length === 1
      ? `has the unknown key ${JSON.stringify(first)}`
      : `has the unknown keys ${names}`;
  if (suggestions.length > 0) return `${what}${suggestions.join('')}`;
  return `${what}. Known keys: ${known.join(', ')}`;
}
