import { z } from 'zod';

const described = new WeakMap<z.core.$ZodType, string>();

/**
 * Describes a value that a plan from code may hold and JSON cannot express, for `canonicalJson`. A zod schema is
 * described by the JSON Schemas of its input and output, any other value by its type alone.
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
    // `toJSONSchema` throws for a schema of another zod version, and for names that it refuses.
    return typeof schema;
  }
}
