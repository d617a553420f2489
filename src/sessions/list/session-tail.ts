import type { SessionHeader, SessionMessage } from '../../api/session.js';
import { parseJsonLine } from '../../base/ndjson/parse-json-line.js';
import { parseSessionLine, type SessionLine } from '../files/session-line.js';
import { readPart } from './read-part.js';

/** What the end of a session file tells. */
export interface SessionTail {
  /** What has changed since the beginning. */
  readonly header: Partial<SessionHeader>;
  readonly model: string | undefined;
  /** False where the last change may lie before what was read. */
  readonly isSure: boolean;
}

const FIRST_BYTES = 8 * 1024;
/** One answer of a tool can be this long. */
const MOST_BYTES = 512 * 1024;

/** As much of the end as it takes to find the last change and the last model. */
export function readTail(fd: number, size: number, isLines: boolean): SessionTail {
  for (let length = FIRST_BYTES; ; length *= 8) {
    const start = Math.max(0, size - length);
    const text = readPart(fd, start, Math.min(length, size)).toString();
    // What comes before the first newline is the end of a line that began earlier.
    const whole = start === 0 ? text : text.slice(text.indexOf('\n') + 1);
    const tail = isLines ? readLines(whole) : readObject(whole);
    if (start === 0) return { ...tail, isSure: true };
    if (length >= MOST_BYTES || (tail.isSure && tail.model !== undefined)) return tail;
  }
}

function readLines(text: string): SessionTail {
  const headers: object[] = [];
  let model: string | undefined;
  for (const line of text.split('\n').reverse()) {
    // Of the messages only the last answers matter, and they are what takes time to read.
    if (model !== undefined && line.startsWith('{"id"')) continue;
    const value = parseJsonLine(line);
    const record = value && parseSessionLine(value)?.record;
    if (record === undefined) continue;
    if ('header' in record) headers.unshift(givenOf(record.header));
    model ??= modelOf(record);
  }
  const header: Partial<SessionHeader> = Object.assign({}, ...headers);
  return { header, model, isSure: header.lastUpdated !== undefined };
}

function modelOf(record: SessionLine): string | undefined {
  const messages = record.kind === 'message' ? [record.message] : messagesIn(record);
  return messages.findLast((message) => message.type === 'gemini' && message.model)?.model;
}

function messagesIn(record: SessionLine): readonly SessionMessage[] {
  return 'messages' in record ? (record.messages ?? []) : [];
}

/** What could not be read does not take the place of what is known. */
function givenOf(header: object = {}): object {
  return Object.fromEntries(Object.entries(header).filter(([, field]) => field !== undefined));
}

const SUMMARY = /^ {2}"summary": ("(?:[^"\\]|\\.)*"),?\r?$/m;
const MODEL = /^ {6}"model": ("(?:[^"\\]|\\.)*"),?\r?$/gm;

/** The older generation is written with two blanks for each level: an argument of a tool stands further right. */
function readObject(text: string): SessionTail {
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
