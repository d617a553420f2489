import { z } from 'zod';
import type { SessionHeader, SessionMessage } from '../contract/session.js';

/** The lines of a session file, field by field as the CLI writes them. Unknown fields are kept. */
const toolCall = z.looseObject({
  id: z.string(),
  name: z.string(),
  args: z.record(z.string(), z.unknown()).optional(),
  status: z.string().optional(),
  agentId: z.string().optional(),
  timestamp: z.string().optional(),
});

const count = z.number().optional();
const tokens = z.looseObject({
  input: count,
  output: count,
  cached: count,
  thoughts: count,
  tool: count,
  total: count,
});

const thought = z.looseObject({
  subject: z.string().optional(),
  description: z.string().optional(),
  timestamp: z.string().optional(),
});

const identity = { id: z.string(), type: z.string() };

const message = z.looseObject({
  ...identity,
  timestamp: z.string().optional(),
  thoughts: z.array(thought).nullish(),
  tokens: tokens.nullish(),
  model: z.string().optional(),
  toolCalls: z.array(toolCall).optional(),
});

/** What is left of a message in which some field has a form that nobody knows. */
const damagedMessage = z.looseObject({
  ...identity,
  timestamp: z.string().optional().catch(undefined),
  thoughts: listOf(thought),
  tokens: tokens.nullish().catch(undefined),
  model: z.string().optional().catch(undefined),
  toolCalls: listOf(toolCall),
});

const header = z.looseObject({
  sessionId: z.string(),
  startTime: z.string().optional(),
  lastUpdated: z.string().optional(),
  kind: z.string().optional(),
  summary: z.string().optional(),
});

const changes = header.partial();

export type SessionRecord =
  /** May come again; what it says is merged with what is known. */
  | {
      readonly kind: 'header';
      readonly header: SessionHeader;
      /** A file of the older generation on one line has them here. */
      readonly messages?: readonly SessionMessage[] | undefined;
    }
  /** The same id again is a newer version of that message. */
  | { readonly kind: 'message'; readonly message: SessionMessage }
  /** `$set`: merged into the header; where it has messages, they replace all others. */
  | {
      readonly kind: 'change';
      readonly header?: ChangedHeader | undefined;
      readonly messages: readonly SessionMessage[] | undefined;
    }
  /** `$rewindTo`: drop that message and all after it. */
  | { readonly kind: 'rewind'; readonly id: string };

type ChangedHeader = z.infer<typeof changes>;

export interface ReadRecord {
  readonly record: SessionRecord;
  /** How many things in it could not be read as they should. */
  readonly damaged: number;
}

/** Undefined for a line that is none of these. */
export function parseSessionRecord(value: object): ReadRecord | undefined {
  if ('$rewindTo' in value) {
    const id = value.$rewindTo;
    return typeof id === 'string' ? { record: { kind: 'rewind', id }, damaged: 0 } : undefined;
  }
  if ('$set' in value) return parseChange(value.$set);
  if ('sessionId' in value && !('type' in value)) {
    const { messages, damaged } = readMessages(value);
    const found = parseHeader(value);
    return found && { record: { kind: 'header', header: found, messages }, damaged };
  }
  const read = readMessage(value);
  return read && { record: { kind: 'message', message: read.message }, damaged: read.damaged };
}

function parseChange(value: unknown): ReadRecord | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { messages, damaged } = readMessages(value);
  const { success, data } = changes.safeParse(withoutMessages(value));
  const record: SessionRecord = { kind: 'change', header: data, messages };
  return { record, damaged: damaged + (success ? 0 : 1) };
}

export function parseHeader(value: object): SessionHeader | undefined {
  return header.safeParse(withoutMessages(value)).data;
}

function withoutMessages(value: object): object {
  const { messages, ...rest }: { messages?: unknown } = value;
  return rest;
}

function readMessages(value: object): {
  readonly messages: readonly SessionMessage[] | undefined;
  readonly damaged: number;
} {
  if (!('messages' in value) || !Array.isArray(value.messages)) {
    return { messages: undefined, damaged: 0 };
  }
  const read = value.messages.map(readMessage);
  return {
    messages: read.flatMap((item) => item?.message ?? []),
    damaged: read.reduce((sum, item) => sum + (item?.damaged ?? 1), 0),
  };
}

export function readMessage(
  value: unknown,
): { readonly message: SessionMessage; readonly damaged: number } | undefined {
  const whole = message.safeParse(value);
  if (whole.success) return { message: whole.data, damaged: 0 };
  const rest = damagedMessage.safeParse(value);
  return rest.success ? { message: rest.data, damaged: 1 } : undefined;
}

/** The items that can be read. */
function listOf<Item extends z.ZodType>(item: Item) {
  return z
    .array(z.unknown())
    .transform((values): z.output<Item>[] =>
      values.flatMap((value) => {
        const { success, data } = item.safeParse(value);
        return success ? [data] : [];
      }),
    )
    .optional()
    .catch(undefined);
}
