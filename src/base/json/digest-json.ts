import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';

/** SHA-256 of a value, the same whatever the order of keys. `describe` names what JSON cannot express; default: its type. */
export function digestJson(
  value: unknown,
  describe: (value: unknown) => string = (other) => typeof other,
): string {
  return createHash('sha256').update(canonicalJson(value, describe)).digest('hex');
}
