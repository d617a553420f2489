import { z } from 'zod';
import { isObject } from '../../base/json/is-object.js';

/**
 * What agents send, read loosely: an odd optional field must not cost us the update. Both the protocol's own
 * form and the older one, in which a tool call is a field of its own, are understood.
 */
const text = z.string().nullish().catch(undefined);

const toolCall = z.looseObject({
  toolCallId: z.string(),
  title: text,
  kind: text,
  status: text,
  content: z.unknown().optional(),
  locations: z.unknown().optional(),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
});
export type WireToolCall = z.infer<typeof toolCall>;

export function readToolCall(value: unknown): WireToolCall | undefined {
  const inner = isObject(value) && isObject(value['toolCall']) ? value['toolCall'] : value;
  const parsed = toolCall.safeParse(inner);
  return parsed.success ? parsed.data : undefined;
}

/** Paths, given as `{ path }` or plainly. */
export function readLocations(value: unknown): string[] {
  return toList(value).flatMap((location) => {
    if (typeof location === 'string') return location;
    return isObject(location) && typeof location['path'] === 'string' ? location['path'] : [];
  });
}

/** The text of a content block, or undefined for one that is something else. */
export function readTextBlock(block: unknown): string | undefined {
  if (!isObject(block) || typeof block['text'] !== 'string') return undefined;
  return block['type'] === undefined || block['type'] === 'text' ? block['text'] : undefined;
}

const permissionOption = z.looseObject({
  optionId: z.string(),
  name: z.string().catch(''),
  kind: z.string(),
});
export type WirePermissionOption = z.infer<typeof permissionOption>;

export function readPermissionOptions(value: unknown): WirePermissionOption[] {
  return toList(value).flatMap((option) => permissionOption.safeParse(option).data ?? []);
}

export function toList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}
