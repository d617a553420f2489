import { open, readFile } from 'node:fs/promises';
import { LineFramer } from '../ndjson/line-framer.js';
import { parseJsonLine } from '../ndjson/parse-json-line.js';
import { SessionFold } from './fold-session.js';
import {
  parseSessionRecord,
  type SessionHeader,
  type SessionMessage,
  wholeSession,
} from './session-record.js';

export interface Session {
  readonly header: SessionHeader | undefined;
  readonly messages: readonly SessionMessage[];
  /** Those that were added since the session was begun or resumed. */
  readonly latest: readonly SessionMessage[];
  /** False where some of the file could not be read; what could be is here all the same. */
  readonly complete: boolean;
}

const CHUNK_BYTES = 256 * 1024;

/** Reads a session file of either generation. Never throws for what is in it. */
export async function readSession(path: string): Promise<Session> {
  return path.endsWith('.json') ? readWhole(path) : readLines(path);
}

async function readLines(path: string): Promise<Session> {
  const fold = new SessionFold();
  let complete = true;
  const framer = new LineFramer({
    onLine: (line) => {
      const value = parseJsonLine(line);
      const record = value && parseSessionRecord(value);
      if (record === undefined) complete = false;
      else fold.accept(record);
    },
    onOverlong: () => {
      complete = false;
    },
  });
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) break;
      framer.push(buffer.subarray(0, bytesRead));
    }
    framer.end();
  } finally {
    await file.close();
  }
  return { header: fold.header, messages: fold.messages, latest: fold.latest, complete };
}

async function readWhole(path: string): Promise<Session> {
  const value = parseJsonLine(await readFile(path, 'utf8'));
  const parsed = wholeSession.safeParse(value);
  if (!parsed.success) return { header: undefined, messages: [], latest: [], complete: false };
  const { messages, ...header } = parsed.data;
  return { header, messages, latest: messages, complete: true };
}
