/** Returns the value at a path of keys and indexes inside a value, or undefined. */
export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, part) => {
    return typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined;
  }, root);
}
