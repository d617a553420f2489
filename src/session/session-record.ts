import { z } from 'zod';

/** The lines of a session file, field by field as the CLI writes them. Unknown fields are kept. */
const toolCall = z.looseObject({
  id: z.string(),
  name: z.string(),
  args: z.record(z.string(), z.unknown()).optional(),
  status: z.string().optional(),
  agentId: z.string().optional(),
  resultDisplay: z.unknown().optional(),
});

const tokens = z.looseObject({
  input: z.number().optional(),
  output: z.number().optional(),
  cached: z.number().optional(),
  total: z.number().optional(),
});

const message = z.looseObject({
  id: z.string(),
  timestamp: z.string().optional(),
  type: z.string(),
  /** A string, a part, or a list of both. */
  content: z.unknown().optional(),
  tokens: tokens.nullish(),
  model: z.string().optional(),
  toolCalls: z.array(toolCall).optional(),
});

const header = z.looseObject({
  sessionId: z.string(),
  startTime: z.string().optional(),
  lastUpdated: z.string().optional(),
  kind: z.string().optional(),
});

const changes = z.looseObject({ messages: z.array(message).optional() });

/** The older generation: the whole session as one object. */
export const wholeSession = z.looseObject({ ...header.shape, messages: z.array(message) });

export type SessionMessage = z.infer<typeof message>;
export type SessionToolCall = z.infer<typeof toolCall>;
export type SessionHeader = z.infer<typeof header>;

export type SessionRecord =
  | { readonly kind: 'header'; readonly header: SessionHeader }
  /** The same id again is a newer version of that message. */
  | { readonly kind: 'message'; readonly message: SessionMessage }
  /** `$set`; where it has messages, they replace all others. */
  | { readonly kind: 'change'; readonly messages: readonly SessionMessage[] | undefined }
  /** `$rewindTo`: drop that message and all after it. */
  | { readonly kind: 'rewind'; readonly id: string };

/** Undefined for a line that is none of these. */
export function parseSessionRecord(value: object): SessionRecord | undefined {
  if ('$rewindTo' in value) {
    return typeof value.$rewindTo === 'string'
      ? { kind: 'rewind', id: value.$rewindTo }
      : undefined;
  }
  if ('$set' in value) {
    const { success, data } = changes.safeParse(value.$set);
    return success ? { kind: 'change', messages: data.messages } : undefined;
  }
  if ('sessionId' in value && !('type' in value)) {
    const { success, data } = header.safeParse(value);
    return success ? { kind: 'header', header: data } : undefined;
  }
  const { success, data } = message.safeParse(value);
  return success ? { kind: 'message', message: data } : undefined;
}
