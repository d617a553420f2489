import { nearestName } from '../base/text/nearest-name.js';
import { toSnakeCase } from '../base/text/snake-case.js';
import { CONFIG_KEYS } from './schema.js';

const CAMEL_OF_SNAKE: ReadonlyMap<string, string> = new Map(
  CONFIG_KEYS.map((key) => [toSnakeCase(key), key]),
);

/** Returns the camelCase key for either spelling, or undefined for an unknown key. */
export function findConfigKey(spelling: string): string | undefined {
  return CONFIG_KEYS.includes(spelling) ? spelling : CAMEL_OF_SNAKE.get(spelling);
}

/** Returns the known key that is most similar to a misspelt one, or undefined if none is similar. */
export function nearestConfigKey(spelling: string): string | undefined {
  return nearestName(spelling, CONFIG_KEYS);
}
