import { isObject } from '../base/json/is-object.js';

/** True for an object literal, also if it was made in another realm, as test runners do, or without any prototype. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
