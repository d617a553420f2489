import { isObject } from './is-object.js';

/**
 * True for an object literal, also of another realm (test runners make some) or without any prototype. False for lists
 * and for instances of classes.
 */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
