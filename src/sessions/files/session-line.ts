import { z } from 'zod';
import type { SessionHeader, SessionMessage } from '../../api/session.js';
import { ifReadable, readMessage } from './session-message.js';

const sessionId = z.string();

/** Header of a session as the CLI writes it. Unknown fields are kept. */
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
  /** Header. A later header is merged into the earlier one. */
  | {
      readonly kind: 'header';
      readonly header: SessionHeader;
      /** Messages of a file of the older generation that is written on one line. */
      readonly messages?: readonly SessionMessage[] | undefined;
    }
  /** Message. A later message with the same id is a newer version. */
  | { readonly kind: 'message'; readonly message: SessionMessage }
  /** `$set`: fields are merged into the header; `messages` replaces all earlier messages. */
  | {
      readonly kind: 'change';
      readonly header?: ChangedHeader | undefined;
      readonly messages: readonly SessionMessage[] | undefined;
    }
  /** `$rewindTo`: removes that message and all later ones. */
  | { readonly kind: 'rewind'; readonly id: string };

type ChangedHeader = z.infer<typeof changes>;

export interface ReadLine {
  readonly line: SessionLine;
  /** Number of messages and headers in the line that could be read only in part. */
  readonly damaged: number;
}

/** Parses one line of a session file. Undefined for JSON that is no record of a session. */
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
