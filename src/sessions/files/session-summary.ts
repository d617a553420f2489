import { closeSync, fstatSync, openSync } from 'node:fs';
import type { SessionHeader } from '../../api/session.js';
import { readHead } from './session-head.js';
import { readTail } from './session-tail.js';

/** What the beginning and the end of a session file tell. */
export interface SessionSummary {
  readonly header: SessionHeader;
  /** ISO 8601, always in the same form. */
  readonly startedAt: string | undefined;
  readonly updatedAt: string;
  readonly firstPrompt: string | undefined;
  /** Whether there is something that the CLI would go on with. */
  readonly isResumable: boolean;
  readonly model: string | undefined;
  readonly bytes: number;
}

const PROMPT_CHARACTERS = 200;

/** Undefined for a file that is no session, or that cannot be read. */
export function readSessionSummary(path: string): SessionSummary | undefined {
  try {
    const fd = openSync(path, 'r');
    try {
      return readFrom(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

function readFrom(fd: number): SessionSummary | undefined {
  const { size, mtime } = fstatSync(fd);
  const head = readHead(fd, size);
  if (head.header === undefined) return undefined;
  const tail = readTail(fd, size, head.isJsonl);
  const header = { ...head.header, ...tail.header };
  const startedAt = toTime(header.startTime);
  // The head of a long file tells only when it was begun.
  const updatedAt = toTime(tail.isSure ? header.lastUpdated : undefined);
  return {
    header,
    startedAt,
    updatedAt: updatedAt ?? mtime.toISOString(),
    firstPrompt: head.prompt === undefined ? undefined : shorten(head.prompt),
    isResumable: head.isResumable,
    model: tail.model ?? head.model,
    bytes: size,
  };
}

function toTime(text: string | undefined): string | undefined {
  const time = new Date(text ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line.slice(0, PROMPT_CHARACTERS * 2)];
  const isShort = characters.length <= PROMPT_CHARACTERS && line.length <= PROMPT_CHARACTERS * 2;
  return isShort ? line : `${characters.slice(0, PROMPT_CHARACTERS - 1).join('')}…`;
}
