import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';
import { describeSchema } from './describe-schema.js';

/** The same for values that say the same, in whatever order. */
export function digestJson(value: unknown): string {
  return createHash('sha256').update(toCanonicalText(value)).digest('hex');
}

export function toCanonicalText(value: unknown): string {
  return canonicalJson(value, describeSchema);
}
