import { sha256 } from '../fs/fingerprint.js';
import { canonicalJson } from './canonical-json.js';

/**
 * Returns the SHA-256 of a value. The order of keys makes no difference. `describe` returns a text for each value that
 * JSON cannot express; default: the type of the value.
 */
export function digestJson(
  value: unknown,
  describe: (value: unknown) => string = (other) => typeof other,
): string {
  return sha256(canonicalJson(value, describe));
}
