import { isPlainObject } from '../config/plain-object.js';

/** A value that contains itself must not hold us for ever. */
const DEEPEST = 300;

/**
 * JSON that is the same whatever the order of keys. Keys that are undefined are left out; what JSON cannot express
 * (a function, an instance) is described by the caller.
 */
export function canonicalJson(value: unknown, describe: (value: unknown) => string): string {
  const write = (inner: unknown, depth: number): string => {
    if (inner === null || typeof inner === 'boolean' || typeof inner === 'string') {
      return JSON.stringify(inner);
    }
    if (typeof inner === 'number') return Number.isFinite(inner) ? String(inner) : `"${inner}"`;
    if (typeof inner !== 'object' || depth > DEEPEST) return JSON.stringify(describe(inner));
    if (Array.isArray(inner)) {
      return `[${inner.map((item: unknown) => write(item, depth + 1)).join(',')}]`;
    }
    if (!isPlainObject(inner)) return JSON.stringify(describe(inner));
    const entries = Object.entries(inner)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => `${JSON.stringify(key)}:${write(item, depth + 1)}`);
    return `{${entries.join(',')}}`;
  };
  return write(value, 0);
}
