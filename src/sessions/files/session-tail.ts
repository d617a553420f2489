import type { SessionHeader, SessionMessage } from '../../api/session.js';
import { parseJsonLine } from '../../base/ndjson/parse-json-line.js';
import { readPart } from './session-head.js';
import { parseSessionLine, type SessionLine } from './session-line.js';

/** Facts from the end of a session file. */
export interface SessionTail {
  /** Header fields that were set in the part that was read. */
  readonly header: Partial<SessionHeader>;
  readonly model: string | undefined;
  /** False if the last change of the header may be before the part that was read. */
  readonly isSure: boolean;
}

const FIRST_BYTES = 8 * 1024;
/** Longest part that is read. A single tool answer can be this long. */
const MOST_BYTES = 512 * 1024;

/** Reads as much of the end as needed to find the last change of the header and the last model. */
export function readTail(fd: number, size: number, isJsonl: boolean): SessionTail {
  for (let length = FIRST_BYTES; ; length *= 8) {
    const start = Math.max(0, size - length);
    const text = readPart(fd, start, Math.min(length, size)).toString();
    // Drop the text before the first newline: its line began earlier.
    const complete = start === 0 ? text : text.slice(text.indexOf('\n') + 1);
    const tail = isJsonl ? readJsonl(complete) : readJson(complete);
    if (start === 0) return { ...tail, isSure: true };
    if (length >= MOST_BYTES || (tail.isSure && tail.model !== undefined)) return tail;
  }
}

function readJsonl(text: string): SessionTail {
  const headers: object[] = [];
  let model: string | undefined;
  for (const written of text.split('\n').reverse()) {
    // Skip messages once the model is known: only header changes matter then, and messages are slow to parse.
    if (model !== undefined && written.startsWith('{"id"')) continue;
    const value = parseJsonLine(written);
    const line = value && parseSessionLine(value)?.line;
    if (line === undefined) continue;
    if ('header' in line) headers.unshift(givenOf(line.header));
    model ??= modelOf(line);
  }
  const header: Partial<SessionHeader> = Object.assign({}, ...headers);
  return { header, model, isSure: header.lastUpdated !== undefined };
}

function modelOf(line: SessionLine): string | undefined {
  const messages = line.kind === 'message' ? [line.message] : messagesIn(line);
  return messages.findLast((message) => message.type === 'gemini' && message.model)?.model;
}

function messagesIn(line: SessionLine): readonly SessionMessage[] {
  return 'messages' in line ? (line.messages ?? []) : [];
}

/** Drops fields that could not be read, so that they do not replace known values. */
function givenOf(header: object = {}): object {
  return Object.fromEntries(Object.entries(header).filter(([, field]) => field !== undefined));
}

const SUMMARY = /^ {2}"summary": ("(?:[^"\\]|\\.)*"),?\r?$/m;
const MODEL = /^ {6}"model": ("(?:[^"\\]|\\.)*"),?\r?$/gm;

/** Reads a file of the older generation. The patterns include the indentation, so that arguments of tools do not match. */
function readJson(text: string): SessionTail {
  const summary = parseText(SUMMARY.exec(text)?.[1]);
  const model = parseText([...text.matchAll(MODEL)].at(-1)?.[1]);
  return { header: summary === undefined ? {} : { summary }, model, isSure: true };
}

function parseText(json: string | undefined): string | undefined {
  try {
    return json === undefined ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}
