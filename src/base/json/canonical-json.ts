import { isPlainObject } from './is-plain-object.js';

/** Deeper than anything that is written by hand. */
const DEEPEST = 300;

/**
 * JSON that is the same whatever the order of keys. Keys that are undefined are left out; what JSON cannot express
 * (a function, an instance, a value that contains itself) is described by the caller.
 */
export function canonicalJson(value: unknown, describe: (value: unknown) => string): string {
  const around = new Set<unknown>();
  const write = (inner: unknown): string => {
    if (inner === null || typeof inner === 'boolean' || typeof inner === 'string') {
      return JSON.stringify(inner);
    }
    if (typeof inner === 'number') return Number.isFinite(inner) ? String(inner) : `"${inner}"`;
    const isData = typeof inner === 'object' && (Array.isArray(inner) || isPlainObject(inner));
    if (!isData || around.has(inner) || around.size > DEEPEST) {
      return JSON.stringify(describe(inner));
    }
    around.add(inner);
    const text = Array.isArray(inner)
      ? `[${inner.map(write).join(',')}]`
      : writeObject(inner, write);
    around.delete(inner);
    return text;
  };
  return write(value);
}

function writeObject(object: object, write: (value: unknown) => string): string {
  const entries = Object.entries(object)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${write(item)}`);
  return `{${entries.join(',')}}`;
}
