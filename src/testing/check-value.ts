/** Tells an object from a list and from null. This wing has a function of its own, because it imports no other wing. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function checkRecord(value: unknown, path: string): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : refuse(path, 'an object', value);
}

export function checkList(
  value: unknown,
  path: string,
  checkEntry: (entry: unknown, path: string) => void,
): void {
  if (!Array.isArray(value)) refuse(path, 'a list', value);
  for (const [index, entry] of value.entries()) checkEntry(entry, `${path}[${index}]`);
}

/** Returns the value as JSON text. Throws for big integers and circular references, which JSON cannot express. */
export function checkJsonValue(value: unknown, path: string): string {
  try {
    return JSON.stringify(value, undefined, 2);
  } catch (cause) {
    throw new TypeError(`${path} must be JSON, without big integers and circular references`, {
      cause,
    });
  }
}

export function refuse(path: string, wanted: string, value: unknown): never {
  throw new TypeError(`${path} must be ${wanted}, not ${describe(value)}`);
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  if (typeof value === 'number' || value === null || value === undefined) return String(value);
  return `a value of type ${typeof value}`;
}
