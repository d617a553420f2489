import { toSnakeCase } from '../base/text/snake-case.js';
import { CONFIG_KEYS } from './schema.js';

const CAMEL_OF_SNAKE: ReadonlyMap<string, string> = new Map(
  CONFIG_KEYS.map((key) => [toSnakeCase(key), key]),
);

/** Returns the camelCase key for either spelling, or undefined for an unknown key. */
export function findConfigKey(spelling: string): string | undefined {
  return CONFIG_KEYS.includes(spelling) ? spelling : CAMEL_OF_SNAKE.get(spelling);
}
