/** Configuration keys that take a list of texts. A single text stands for a list of one. */
const LIST_KEYS: ReadonlySet<string> = new Set([
  'includeDirectories',
  'allowedTools',
  'deniedTools',
  'allowRedirection',
  'protectedPaths',
  'secrets',
  'extraArgs',
]);

/** True if a key takes one value in the place of a list. */
export function takesOneOrList(key: string): boolean {
  return LIST_KEYS.has(key) || key === 'mcpServers';
}

/** Returns the value of a configuration key, with a single value in the place of a list as a list of one. */
export function toListIfOne(key: string, value: unknown): unknown {
  if (LIST_KEYS.has(key)) return typeof value === 'string' ? [value] : value;
  if (key !== 'mcpServers') return value;
  return typeof value === 'object' && !Array.isArray(value) ? [value] : value;
}
