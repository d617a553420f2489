import { isPlainObject } from './is-plain-object.js';

/** Deepest nesting of data. Data written by hand is never this deep; the limit protects the call stack. */
const DEEPEST = 300;

/**
 * Says why data is too large or too deep to be checked value by value. A list of four billion holes, or of a million
 * wrong values, would fill the memory with problems. Each object counts once; instances of classes are not searched.
 */
export function findSizeProblem(data: unknown, mostValues: number): string | undefined {
  const seen = new Set<unknown>();
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: data, depth: 0 }];
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    const isList = Array.isArray(value);
    if (!isList && !isPlainObject(value)) continue;
    if (depth > DEEPEST) return `must not be nested deeper than ${DEEPEST} levels`;
    const length = isList ? value.length : Object.keys(value).length;
    count += length;
    if (count > mostValues) return `must not have more than ${mostValues} values`;
    for (const inner of Object.values(value)) open.push({ value: inner, depth: depth + 1 });
  }
  return undefined;
}
