import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { SessionHeader, SessionMessage } from '../contract/session.js';
import { parseJsonLine } from '../ndjson/parse-json-line.js';
import { SessionFold } from '../session/fold-session.js';
import { isInjectedContext, textsOf } from '../session/message-text.js';
import { parseSessionRecord } from '../session/session-record.js';
import { WholeSession } from '../session/whole-session.js';

/** What the beginning and the end of a session file tell. */
export interface SessionCard {
  readonly header: SessionHeader;
  readonly updatedAt: string;
  readonly firstPrompt: string | undefined;
  readonly model: string | undefined;
  readonly bytes: number;
}

const FIRST_HEAD_BYTES = 8 * 1024;
/** The context that the CLI puts before the prompt lists up to 200 files. */
const LONGEST_HEAD_BYTES = 512 * 1024;
const TAIL_BYTES = 8 * 1024;
const PROMPT_CHARACTERS = 200;
const NEWLINE = 10;

/** Undefined for a file that is no session, or that cannot be read. */
export function readSessionCard(path: string): SessionCard | undefined {
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

function readFrom(fd: number): SessionCard | undefined {
  const { size, mtime } = fstatSync(fd);
  const head = readHead(fd, size);
  if (head.header === undefined) return undefined;
  const tail = readPart(fd, Math.max(0, size - TAIL_BYTES), TAIL_BYTES).toString();
  const header = { ...head.header, ...readTail(tail) };
  return {
    header,
    updatedAt: header.lastUpdated ?? mtime.toISOString(),
    firstPrompt: head.prompt === undefined ? undefined : shorten(head.prompt),
    model: lastModel(tail) ?? head.model,
    bytes: size,
  };
}

interface Head {
  readonly header: SessionHeader | undefined;
  readonly prompt: string | undefined;
  readonly model: string | undefined;
}

/** As much of the file as it takes to come to the first prompt. */
function readHead(fd: number, size: number): Head {
  for (let length = FIRST_HEAD_BYTES; ; length *= 8) {
    const bytes = readPart(fd, 0, length);
    const head = parseLines(bytes) ?? parseWhole(bytes);
    if (head.prompt !== undefined || length >= size) return head;
    if (length >= LONGEST_HEAD_BYTES) return { ...head, prompt: tornPrompt(bytes.toString()) };
  }
}

/** Line by line, and no further than to the first prompt. Undefined where the first line is no header. */
function parseLines(bytes: Buffer): Head | undefined {
  const fold = new SessionFold();
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? bytes.length : newline;
    const value = parseJsonLine(bytes.toString('utf8', start, end));
    const record = value && parseSessionRecord(value)?.record;
    if (record !== undefined) fold.accept(record);
    const prompt = record?.kind === 'header' ? undefined : findPrompt(fold.messages);
    if (prompt !== undefined) return { header: fold.header, prompt, model: undefined };
    start = end + 1;
  }
  return fold.header && { header: fold.header, prompt: undefined, model: modelOf(fold.messages) };
}

function parseWhole(bytes: Buffer): Head {
  const whole = new WholeSession();
  whole.push(bytes);
  const { header, messages } = whole;
  return { header, prompt: findPrompt(messages), model: modelOf(messages) };
}

function findPrompt(messages: readonly SessionMessage[]): string | undefined {
  const prompts = messages.filter(({ type, content }) => {
    return type === 'user' && !isInjectedContext(content);
  });
  return prompts.map(({ content }) => textsOf(content).join('')).find((text) => text.trim() !== '');
}

function modelOf(messages: readonly SessionMessage[]): string | undefined {
  return messages.findLast(({ model }) => model !== undefined)?.model;
}

/** The beginning of a prompt that is longer than what was read. */
function tornPrompt(head: string): string | undefined {
  const start = /"type"\s*:\s*"user"\s*,\s*"content"\s*:\s*[[{\s]*(?:"text"\s*:\s*)?"/g;
  const string = /(?:[^"\\]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4}){1,1000}/y;
  for (const match of head.matchAll(start)) {
    string.lastIndex = match.index + match[0].length;
    const text = string.exec(head)?.[0];
    if (text !== undefined && !isInjectedContext(text)) return JSON.parse(`"${text}"`);
  }
  return undefined;
}

const WHOLE_SUMMARY = /^ {2}"summary": ("(?:[^"\\]|\\.)*"),?$/m;

/** What the last lines change in the header. A tool may have an argument that is called `summary` too. */
function readTail(tail: string): Partial<SessionHeader> {
  const headers = tail
    .split('\n')
    .filter((line) => line.startsWith('{"$set"') || line.startsWith('{"sessionId"'))
    .map(readHeaderLine);
  const wholeSummary = WHOLE_SUMMARY.exec(tail)?.[1];
  if (wholeSummary !== undefined) headers.push({ summary: JSON.parse(wholeSummary) });
  return Object.assign({}, ...headers);
}

function readHeaderLine(line: string): object {
  const value = parseJsonLine(line);
  const record = value && parseSessionRecord(value)?.record;
  return record !== undefined && 'header' in record ? (record.header ?? {}) : {};
}

/** Inside a JSON string the quotes would have backslashes, so this finds a field and never some text. */
function lastModel(tail: string): string | undefined {
  return [...tail.matchAll(/"model"\s*:\s*"([^"\\]+)"/g)].at(-1)?.[1];
}

/** One buffer for all files: what was read is gone with the next call. */
let shared = Buffer.allocUnsafe(0);

function readPart(fd: number, position: number, length: number): Buffer {
  if (shared.length < length) shared = Buffer.allocUnsafe(length);
  return shared.subarray(0, readSync(fd, shared, 0, length, position));
}

function shorten(text: string): string {
  const line = text
    .slice(0, PROMPT_CHARACTERS * 3)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...line.slice(0, PROMPT_CHARACTERS * 2)];
  const isShort = characters.length <= PROMPT_CHARACTERS && line.length <= PROMPT_CHARACTERS * 2;
  return isShort ? line : `${characters.slice(0, PROMPT_CHARACTERS - 1).join('')}…`;
}
