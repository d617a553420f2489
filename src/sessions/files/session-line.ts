import { z } from 'zod';
import type { SessionHeader, SessionMessage } from '../../api/session.js';
import { ifReadable, readMessage } from './session-message.js';

const sessionId = z.string();

/** What stands at the head of a session, field by field as the CLI writes it. Unknown fields are kept. */
const header = z.looseObject({
  sessionId,
  startTime: z.string().optional(),
  lastUpdated: z.string().optional(),
  kind: z.string().optional(),
  summary: z.string().optional(),
});

const readable = {
  startTime: ifReadable(z.string()),
  lastUpdated: ifReadable(z.string()),
  kind: ifReadable(z.string()),
  summary: ifReadable(z.string()),
};
const damagedHeader = z.looseObject({ sessionId, ...readable });
const changes = header.partial();
const damagedChanges = z.looseObject({ sessionId: ifReadable(sessionId), ...readable });

export type SessionLine =
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

export interface ReadLine {
  readonly line: SessionLine;
  /** How many things in it could not be read as they should. */
  readonly damaged: number;
}

/** Undefined for a line that is none of these. */
export function parseSessionLine(value: object): ReadLine | undefined {
  if ('$rewindTo' in value) {
    const id = value.$rewindTo;
    return typeof id === 'string' ? { line: { kind: 'rewind', id }, damaged: 0 } : undefined;
  }
  if ('$set' in value) return parseChange(value.$set);
  const read = readMessage(value);
  if (read === undefined) return parseHeader(value);
  return { line: { kind: 'message', message: read.message }, damaged: read.damaged };
}

function parseHeader(value: object): ReadLine | undefined {
  const found = readHeader(value);
  if (found === undefined) return undefined;
  const { messages, damaged } = readMessages(value);
  const line: SessionLine = { kind: 'header', header: found.header, messages };
  return { line, damaged: found.damaged + damaged };
}

function parseChange(value: unknown): ReadLine | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { messages, damaged } = readMessages(value);
  const rest = withoutMessages(value);
  const parsed = changes.safeParse(rest);
  const data = parsed.success ? parsed.data : damagedChanges.safeParse(rest).data;
  const line: SessionLine = { kind: 'change', header: data, messages };
  return { line, damaged: damaged + (parsed.success ? 0 : 1) };
}

export function readHeader(
  value: object,
): { readonly header: SessionHeader; readonly damaged: number } | undefined {
  const rest = withoutMessages(value);
  const parsed = header.safeParse(rest);
  if (parsed.success) return { header: parsed.data, damaged: 0 };
  const { data } = damagedHeader.safeParse(rest);
  return data && { header: data, damaged: 1 };
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
