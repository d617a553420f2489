/** True for an object with methods of these names. Throws what a getter or a proxy of the caller throws. */
export function hasMethods(value: unknown, ...names: readonly string[]): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return names.every((name) => typeof Reflect.get(value, name) === 'function');
}
