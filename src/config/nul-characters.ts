import type { ConfigProblem } from '../api/error.js';
import { isPlainObject } from '../base/json/is-plain-object.js';
import { toProblem } from './config-problem.js';

/** No path or argument stands deeper, and an option that contains itself must not hold us for ever. */
const DEEPEST = 5;

/** The system takes no NUL in a path, an argument or a variable, and says so only when the CLI is started. */
export function findNulCharacters(values: Readonly<Record<string, unknown>>): ConfigProblem[] {
  return Object.entries(values).flatMap(([key, value]) => findIn(value, [key]));
}

function findIn(value: unknown, path: readonly string[]): ConfigProblem[] {
  if (typeof value === 'string') {
    return value.includes('\0') ? [toProblem(path, value, 'must not contain a NUL character')] : [];
  }
  if (typeof value !== 'object' || value === null || path.length === DEEPEST) return [];
  // A logger or a pool is none of our business.
  if (!Array.isArray(value) && !isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => findIn(inner, [...path, key]));
}
