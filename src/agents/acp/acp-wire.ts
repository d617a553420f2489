import { z } from 'zod';
import { isObject } from '../../base/json/is-object.js';

/**
 * Schemas of messages from agents. They are loose: an invalid optional field must not lose the update. Tool calls are
 * read in the form of the protocol and in the older form, which nests them under the key `toolCall`.
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

/** Reads paths that are given as strings or as `{ path }`. */
export function readLocations(value: unknown): string[] {
  return toList(value).flatMap((location) => {
    if (typeof location === 'string') return location;
    return isObject(location) && typeof location['path'] === 'string' ? location['path'] : [];
  });
}

/** Returns the tool call that runs the sub-agent which sent the update. Qwen Code marks such updates. */
export function readParentCall(update: object): string | undefined {
  const meta: unknown = Reflect.get(update, '_meta');
  const id = isObject(meta) ? meta['parentToolCallId'] : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Returns the text of a content block, or undefined if the block is not text. */
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
