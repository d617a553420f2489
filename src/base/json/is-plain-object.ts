import { isObject } from './is-object.js';

/**
 * True for an object literal, also for one of another realm (test runners create some) and for one without a prototype.
 * False for arrays and for instances of classes.
 */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
