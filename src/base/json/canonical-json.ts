import { compareText } from '../text/compare-text.js';
import { isPlainObject } from './is-plain-object.js';

/** Deepest nesting that is written out. Data written by hand is never this deep; the limit protects the call stack. */
const MAX_DEPTH = 300;

/**
 * Writes JSON with sorted keys, so that the order of keys makes no difference. Keys with the value undefined are left
 * out. `describe` returns a text for each value that JSON cannot express: a function, an instance of a class, a value
 * that contains itself.
 */
export function canonicalJson(value: unknown, describe: (value: unknown) => string): string {
  const ancestors = new Set<unknown>();
  const write = (inner: unknown): string => {
    if (inner === null || typeof inner === 'boolean' || typeof inner === 'string') {
      return JSON.stringify(inner);
    }
    if (typeof inner === 'number') return Number.isFinite(inner) ? String(inner) : `"${inner}"`;
    const isData = typeof inner === 'object' && (Array.isArray(inner) || isPlainObject(inner));
    if (!isData || ancestors.has(inner) || ancestors.size > MAX_DEPTH) {
      return JSON.stringify(describe(inner));
    }
    ancestors.add(inner);
    const text = Array.isArray(inner)
      ? `[${inner.map(write).join(',')}]`
      : writeObject(inner, write);
    ancestors.delete(inner);
    return text;
  };
  return write(value);
}

function writeObject(object: object, write: (value: unknown) => string): string {
  const entries = Object.entries(object)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, item]) => `${JSON.stringify(key)}:${write(item)}`);
  return `{${entries.join(',')}}`;
}
