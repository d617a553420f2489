import type { ConfigProblem } from '../api/error.js';
import { isPlainObject } from '../base/json/is-plain-object.js';
import { toProblem } from './config-problem.js';

/** Deepest level of the search. Paths and arguments are never deeper, and an option may contain itself. */
const DEEPEST = 5;

/** Finds NUL characters before the start: the system refuses them in paths, arguments and variables at spawn only. */
export function findNulCharacters(values: Readonly<Record<string, unknown>>): ConfigProblem[] {
  return Object.entries(values).flatMap(([key, value]) => findIn(value, [key]));
}

function findIn(value: unknown, path: readonly string[]): ConfigProblem[] {
  if (typeof value === 'string') {
    return value.includes('\0') ? [toProblem(path, value, 'must not contain a NUL character')] : [];
  }
  if (typeof value !== 'object' || value === null || path.length === DEEPEST) return [];
  // Class instances, such as a logger or a pool, are not searched.
  if (!Array.isArray(value) && !isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => findIn(inner, [...path, key]));
}
