import { nearestName } from '../base/text/nearest-name.js';
import { CONFIG_KEYS } from './schema.js';

const CAMEL_OF_SNAKE: ReadonlyMap<string, string> = new Map(
  CONFIG_KEYS.map((key) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), key]),
);

/** The key this spelling stands for, or undefined where there is none. */
export function findConfigKey(spelling: string): string | undefined {
  return CONFIG_KEYS.includes(spelling) ? spelling : CAMEL_OF_SNAKE.get(spelling);
}

export function nearestConfigKey(spelling: string): string | undefined {
  return nearestName(spelling, CONFIG_KEYS);
}
