import { z } from 'zod';

/**
 * Makes a field optional and drops a value of another type. The schemas below describe the six events of
 * `--output-format stream-json` with the CLI's own field names; `EventMapper` gives them their meaning. Unknown fields
 * are kept. Fields without which an event is useless are required. All others are lenient, because a newer CLI may
 * change them and the rest of the event, above all of `result`, still counts.
 */
function lenient<T extends z.ZodType>(schema: T) {
  return schema.optional().catch(undefined);
}

const timestamp = lenient(z.string());
const count = lenient(z.number());
const NO_MESSAGE = '(no message)';
const messageText = z.string().catch(NO_MESSAGE);

const init = z.looseObject({
  type: z.literal('init'),
  timestamp,
  session_id: z.string(),
  model: lenient(z.string()),
});

const message = z.looseObject({
  type: z.literal('message'),
  timestamp,
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  delta: lenient(z.boolean()),
});

const toolUse = z.looseObject({
  type: z.literal('tool_use'),
  timestamp,
  tool_name: z.string(),
  tool_id: z.string(),
  parameters: lenient(z.record(z.string(), z.unknown())),
});

/** Replaces an unreadable error by an unknown one. `z.compile` accepts a constant here, not a callback. */
const wireError = z
  .looseObject({ type: z.string().catch('unknown'), message: messageText })
  .nullish()
  .catch({ type: 'unknown', message: NO_MESSAGE });

const toolResult = z.looseObject({
  type: z.literal('tool_result'),
  timestamp,
  tool_id: z.string(),
  status: z.enum(['success', 'error']),
  output: lenient(z.string()),
  error: wireError,
});

const error = z.looseObject({
  type: z.literal('error'),
  timestamp,
  severity: z.enum(['warning', 'error']).catch('warning'),
  message: messageText,
});

const tokenCounts = {
  total_tokens: count,
  input_tokens: count,
  output_tokens: count,
  cached: count,
  /** Only `-o json` reports thoughts and tool use apart. */
  thoughts: count,
  tool: count,
  /** Prompt tokens without the cached ones. */
  input: count,
};

const stats = z.looseObject({
  ...tokenCounts,
  duration_ms: count,
  tool_calls: count,
  models: lenient(z.record(z.string(), lenient(z.looseObject(tokenCounts)))),
});

const result = z.looseObject({
  type: z.literal('result'),
  timestamp,
  status: z.enum(['success', 'error']),
  error: wireError,
  stats: lenient(stats),
});

export type WireInit = z.infer<typeof init>;
export type WireMessage = z.infer<typeof message>;
export type WireToolUse = z.infer<typeof toolUse>;
export type WireToolResult = z.infer<typeof toolResult>;
export type WireError = z.infer<typeof error>;
export type WireResult = z.infer<typeof result>;
export type WireStats = z.infer<typeof stats>;
export type WireEvent =
  | WireInit
  | WireMessage
  | WireToolUse
  | WireToolResult
  | WireError
  | WireResult;

/** Schemas by event type. They are compiled once, so that validation costs no more than parsing. */
const SCHEMAS: ReadonlyMap<unknown, z.ZodType<WireEvent>> = new Map<unknown, z.ZodType<WireEvent>>([
  ['init', z.compile(init)],
  ['message', z.compile(message)],
  ['tool_use', z.compile(toolUse)],
  ['tool_result', z.compile(toolResult)],
  ['error', z.compile(error)],
  ['result', z.compile(result)],
]);

export type ParsedWire =
  | { readonly kind: 'event'; readonly event: WireEvent }
  /** Event type of a newer CLI. */
  | { readonly kind: 'unknown' }
  /** Known event type without a required field. */
  | { readonly kind: 'invalid'; readonly problem: string };

const UNKNOWN: ParsedWire = { kind: 'unknown' };

export function parseWireEvent(value: object): ParsedWire {
  if (isDelta(value)) return { kind: 'event', event: value };
  const schema = SCHEMAS.get(Reflect.get(value, 'type'));
  if (schema === undefined) return UNKNOWN;
  const parsed = schema.safeParse(value);
  if (parsed.success) return { kind: 'event', event: parsed.data };
  return { kind: 'invalid', problem: z.prettifyError(parsed.error) };
}

/** Checks a delta without the schema, which would copy it: nine of ten lines are deltas. */
function isDelta(value: object): value is WireMessage {
  return (
    'type' in value &&
    value.type === 'message' &&
    'content' in value &&
    typeof value.content === 'string' &&
    'role' in value &&
    value.role === 'assistant' &&
    'delta' in value &&
    value.delta === true &&
    (!('timestamp' in value) || typeof value.timestamp === 'string')
  );
}
