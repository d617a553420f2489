import { z } from 'zod';

const described = new WeakMap<z.core.$ZodType, string>();

/**
 * For `canonicalJson`: what a plan in code may hold and JSON cannot. A schema is known by the answers it takes; of all
 * else only the type can be told.
 */
export function describeSchema(value: unknown): string {
  if (!(value instanceof z.core.$ZodType)) return typeof value;
  const text = described.get(value) ?? toText(value);
  described.set(value, text);
  return text;
}

function toText(schema: z.core.$ZodType): string {
  try {
    const sides = (['input', 'output'] as const).map((io) => {
      return z.toJSONSchema(schema, { io, unrepresentable: 'any' });
    });
    return JSON.stringify(sides);
  } catch {
    // One of another version of the library, or with names that it refuses.
    return typeof schema;
  }
}
