/** Returns the path of a value as text, such as `env.PATH`. A key may be a symbol, which does not become text by itself. */
export function dotPath(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}
