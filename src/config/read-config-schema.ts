import { readFileSync } from 'node:fs';
import { isObject } from '../base/json/is-object.js';

let schema: Readonly<Record<string, unknown>> | undefined;

/** Returns the JSON Schema of the configuration. The build has written the file; it is read once. */
export function readConfigSchema(): Readonly<Record<string, unknown>> {
  if (schema !== undefined) return schema;
  const file = new URL('../../dist/schemas/config.schema.json', import.meta.url);
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
  schema = isObject(content) ? content : {};
  return schema;
}
