import { z } from 'zod';
import type { SessionMessage } from '../../api/session.js';

const args = z.record(z.string(), z.unknown());
const count = z.number();

/** Fields for display. A value of an unknown form is dropped, and the call counts as readable all the same. */
const display = {
  displayName: ifReadable(z.string()),
  description: ifReadable(z.string()),
  renderOutputAsMarkdown: ifReadable(z.boolean()),
};

const toolCall = z.looseObject({
  id: z.string(),
  name: z.string(),
  args: args.optional(),
  status: z.string().optional(),
  agentId: z.string().optional(),
  timestamp: z.string().optional(),
  ...display,
});

const thought = z.looseObject({
  subject: z.string().optional(),
  description: z.string().optional(),
  timestamp: z.string().optional(),
});

const tokens = z.looseObject({
  input: count.optional(),
  output: count.optional(),
  cached: count.optional(),
  thoughts: count.optional(),
  tool: count.optional(),
  total: count.optional(),
});

const identity = { id: z.string(), type: z.string() };

/** Message as the CLI writes it. Unknown fields are kept. */
const message = z.looseObject({
  ...identity,
  timestamp: z.string().optional(),
  thoughts: z.array(thought).nullish(),
  tokens: tokens.nullish(),
  model: z.string().optional(),
  toolCalls: z.array(toolCall).optional(),
});

/** Message with fields of an unknown form. Those fields are dropped, the others are kept. */
const damagedMessage = z.looseObject({
  ...identity,
  timestamp: ifReadable(z.string()),
  thoughts: readableOf(
    z.looseObject({
      subject: ifReadable(z.string()),
      description: ifReadable(z.string()),
      timestamp: ifReadable(z.string()),
    }),
  ),
  tokens: ifReadable(
    z.looseObject({
      input: ifReadable(count),
      output: ifReadable(count),
      cached: ifReadable(count),
      thoughts: ifReadable(count),
      tool: ifReadable(count),
      total: ifReadable(count),
    }),
  ),
  model: ifReadable(z.string()),
  toolCalls: readableOf(
    z.looseObject({
      id: z.string(),
      name: z.string(),
      args: ifReadable(args),
      status: ifReadable(z.string()),
      agentId: ifReadable(z.string()),
      timestamp: ifReadable(z.string()),
      ...display,
    }),
  ),
});

export interface ReadMessage {
  readonly message: SessionMessage;
  /** 1 if the message could be read only in part, else 0. */
  readonly damaged: number;
}

/** Reads a message. Undefined for a value that is no message. */
export function readMessage(value: unknown): ReadMessage | undefined {
  const parsed = message.safeParse(value);
  if (parsed.success) return { message: parsed.data, damaged: 0 };
  const rest = damagedMessage.safeParse(value);
  return rest.success ? { message: rest.data, damaged: 1 } : undefined;
}

/** Makes a field optional, and undefined if its value has an unknown form. */
export function ifReadable<Field extends z.ZodType>(field: Field) {
  return field.optional().catch(undefined);
}

/** Accepts a list and keeps its readable items. */
function readableOf<Item extends z.ZodType>(item: Item) {
  const readable = z.array(z.unknown()).transform((values) =>
    values.flatMap((value): z.output<Item>[] => {
      const { success, data } = item.safeParse(value);
      return success ? [data] : [];
    }),
  );
  return ifReadable(readable);
}
