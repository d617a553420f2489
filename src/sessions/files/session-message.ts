import { z } from 'zod';
import type { SessionMessage } from '../../api/session.js';

/** A message field by field as the CLI writes it. Unknown fields are kept. */
const args = z.record(z.string(), z.unknown());
const count = z.number();

const toolCall = z.looseObject({
  id: z.string(),
  name: z.string(),
  args: args.optional(),
  status: z.string().optional(),
  agentId: z.string().optional(),
  timestamp: z.string().optional(),
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
    }),
  ),
});

export interface ReadMessage {
  readonly message: SessionMessage;
  /** How many things in it could not be read as they should. */
  readonly damaged: number;
}

/** Undefined for what is no message at all. */
export function readMessage(value: unknown): ReadMessage | undefined {
  const parsed = message.safeParse(value);
  if (parsed.success) return { message: parsed.data, damaged: 0 };
  const rest = damagedMessage.safeParse(value);
  return rest.success ? { message: rest.data, damaged: 1 } : undefined;
}

export function ifReadable<Field extends z.ZodType>(field: Field) {
  return field.optional().catch(undefined);
}

/** The items that can be read. */
function readableOf<Item extends z.ZodType>(item: Item) {
  const readable = z.array(z.unknown()).transform((values) =>
    values.flatMap((value): z.output<Item>[] => {
      const { success, data } = item.safeParse(value);
      return success ? [data] : [];
    }),
  );
  return ifReadable(readable);
}
