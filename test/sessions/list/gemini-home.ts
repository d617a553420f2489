import { createHash } from 'node:crypto';
import { lines } from '../files/session-text.js';

export const APP = '/projects/app';
export const HASH = createHash('sha256').update(APP).digest('hex');
export const PROJECTS = { 'projects.json': JSON.stringify({ projects: { [APP]: 'app' } }) };

interface Recorded {
  /** Start time in minutes after midnight. */
  readonly at?: number;
  readonly prompt?: string;
  readonly header?: object;
  readonly records?: readonly (object | string)[];
}

export function timeAt(minute: number): string {
  return new Date(Date.UTC(2026, 10, 16, 0, minute)).toISOString();
}

/** Returns a session of the newer generation, as the CLI writes it. */
export function record(sessionId: string, options: Recorded = {}): string {
  const { at = 0, prompt = `prompt of ${sessionId}`, header, records = [] } = options;
  const time = timeAt(at);
  return lines(
    { sessionId, projectHash: HASH, startTime: time, lastUpdated: time, kind: 'main', ...header },
    { $set: { messages: [context()], lastUpdated: time } },
    ...(prompt === '' ? [] : [user('prompt', prompt)]),
    ...records,
  );
}

export function context(files = 0): object {
  const listing = Array.from({ length: files }, (_, index) => `/projects/app/file-${index}.ts\n`);
  return user('context', `<session_context>\n${listing.join('')}</session_context>`);
}

export function user(id: string, text: string): object {
  return { id, timestamp: timeAt(0), type: 'user', content: [{ text }] };
}

export function gemini(id: string, more: object = {}): object {
  const tokens = { input: 10, output: 2, cached: 0, thoughts: 0, tool: 0, total: 12 };
  return { id, type: 'gemini', content: 'answer', thoughts: [], tokens, model: 'flash', ...more };
}

/** Returns a session of the older generation. */
export function recordOld(
  sessionId: string,
  messages: readonly object[],
  more: object = {},
): string {
  const header = { sessionId, projectHash: HASH, startTime: timeAt(0), lastUpdated: timeAt(1) };
  return JSON.stringify({ ...header, messages, ...more }, null, 2);
}

/** Returns the path that the CLI gives a session file. */
export function chat(sessionId: string, folder = 'app', ending = 'jsonl'): string {
  return `tmp/${folder}/chats/session-2026-11-16T00-00-${sessionId.slice(0, 8)}.${ending}`;
}
