import { fstatSync } from 'node:fs';
import type { SessionHeader } from '../../api/session.js';
import { readOpenedFile } from '../../base/fs/read-opened-file.js';
import { readHead } from './session-head.js';
import { readTail } from './session-tail.js';

/** Facts from the beginning and the end of a session file. */
export interface SessionSummary {
  readonly header: SessionHeader;
  /** Start time, as ISO 8601 in UTC with milliseconds. */
  readonly startedAt: string | undefined;
  readonly updatedAt: string;
  readonly firstPrompt: string | undefined;
  /** True if the CLI can resume the session. */
  readonly isResumable: boolean;
  readonly model: string | undefined;
  readonly bytes: number;
}

const PROMPT_CHARACTERS = 200;

/** Reads the summary of a session file. Undefined if the file is no session or cannot be read. */
export function readSessionSummary(path: string): SessionSummary | undefined {
  return readOpenedFile(path, readFrom);
}

function readFrom(fd: number): SessionSummary | undefined {
  const { size, mtime } = fstatSync(fd);
  const head = readHead(fd, size);
  if (head.header === undefined) return undefined;
  const tail = readTail(fd, size, head.isJsonl);
  const header = { ...head.header, ...tail.header };
  const startedAt = toTime(header.startTime);
  // Ignore `lastUpdated` from the head of a long file: it is the time of the start.
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
