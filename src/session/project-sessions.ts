import { join } from 'node:path';
import { parseJsonLine } from '../ndjson/parse-json-line.js';
import { readFolder } from '../workspace/read-folder.js';
import { findSlug, readHead, type SessionQuery } from './find-session-file.js';
import { parseSessionRecord } from './session-record.js';

export interface ProjectSession {
  readonly file: string;
  readonly sessionId: string;
  readonly startTime: string;
}

/** The sessions of a project, oldest first, as the CLI numbers them from 1 on. Sub-agents have none of their own. */
export function listProjectSessions(query: Omit<SessionQuery, 'sessionId'>): ProjectSession[] {
  const slug = findSlug(query);
  if (slug === undefined) return [];
  const chats = join(query.geminiHome, 'tmp', slug, 'chats');
  const files = readFolder(chats)
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
    .map(({ name }) => join(chats, name));
  return files
    .flatMap((file) => readHeader(file) ?? [])
    .sort((a, b) => (a.startTime < b.startTime ? -1 : 1));
}

function readHeader(file: string): ProjectSession | undefined {
  const [line = ''] = readHead(file).split('\n', 1);
  const value = parseJsonLine(line);
  const record = value && parseSessionRecord(value);
  if (record?.kind !== 'header') return undefined;
  const { sessionId, startTime = '' } = record.header;
  return { file, sessionId, startTime };
}

/** By `latest`, by its number, by its id or the first eight characters of it. */
export function chooseSession(
  sessions: readonly ProjectSession[],
  wanted: string,
): ProjectSession | undefined {
  if (wanted === 'latest') return sessions.at(-1);
  if (/^[1-9]\d{0,5}$/.test(wanted)) return sessions[Number(wanted) - 1];
  const exact = sessions.find(({ sessionId }) => sessionId === wanted);
  return exact ?? sessions.find(({ sessionId }) => sessionId.slice(0, 8) === wanted);
}
