import type { FileHandle } from 'node:fs/promises';
import type { Session, SessionDiagnostic } from '../../api/session.js';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { openRegularFile } from '../../base/fs/regular-file.js';
import { parseJsonLine } from '../../base/ndjson/parse-json-line.js';
import { acceptPath } from '../session-input.js';
import { JsonSession } from './json-session.js';
import { JsonlSession } from './jsonl-session.js';

const CHUNK_BYTES = 256 * 1024;
/** Largest session file. All messages are kept in memory, where they take several times as much. */
const MOST_BYTES = 1024 * 1024 * 1024;
/** Longest first line that is checked for JSONL. A longer one is probably a whole file of the older generation. */
const FIRST_LINE_BYTES = 1024 * 1024;

type ReadParts = Omit<Session, 'complete'>;

/** Reads a session file of either generation as a stream. Never throws because of its content. */
export async function readSession(path: string): Promise<Session> {
  const file = await openFile(acceptPath('path', path));
  try {
    const { size } = await file.stat();
    if (size > MOST_BYTES) throw tooLarge(path, size);
    const source = { file, size };
    const isJsonl = await beginsWithLine(source);
    const session = isJsonl ? await readJsonl(source) : await readJson(source);
    return judgeReading(session, size, (await file.stat()).size);
  } finally {
    await file.close();
  }
}

/** Adds the diagnostics of the whole file and decides if the file was read completely. Exported for its test. */
export function judgeReading(session: ReadParts, sizeBefore: number, sizeAfter: number): Session {
  const { header, messages } = session;
  const diagnostics = [...session.diagnostics];
  if (sizeBefore === 0 && messages.length === 0 && header === undefined) {
    diagnostics.push({ kind: 'empty', message: 'The session file is empty' });
  } else if (header === undefined) {
    diagnostics.push({
      kind: 'no-header',
      message: 'The session header is missing: the session id is unknown',
    });
  }
  if (sizeAfter > sizeBefore) {
    diagnostics.push({ kind: 'grew', message: 'The session file grew while it was read' });
  }
  if (sizeAfter < sizeBefore) {
    diagnostics.push({
      kind: 'truncated',
      message: 'The session file was truncated while it was read',
    });
  }
  return { ...session, diagnostics, complete: diagnostics.length === 0 };
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await openRegularFile(path);
  } catch (error) {
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `Session file ${path} cannot be opened`,
      hint: messageOf(error),
      cause: error,
    });
  }
}

function tooLarge(path: string, size: number): ProviderError {
  return new ProviderError({
    code: 'INVALID_INPUT',
    message: `Session file ${path} has ${size} bytes, more than ${MOST_BYTES}`,
    hint: 'Give the file of a session: no session of the CLI is that large.',
  });
}

/** An open file and its size at opening. Bytes added later are not read: a busy writer must not keep the reader busy. */
interface Source {
  readonly file: FileHandle;
  readonly size: number;
}

/**
 * True if the first line is a whole JSON object. The older generation is one object on many lines. The file name is no
 * help, because a copy may have any name.
 */
async function beginsWithLine(source: Source): Promise<boolean> {
  let head = '';
  let bytes = 0;
  await consume(source, (chunk) => {
    head = `${head}${chunk.toString('latin1')}`.trimStart();
    bytes += chunk.length;
    return !head.includes('\n') && bytes < FIRST_LINE_BYTES;
  });
  const line = head.slice(0, head.indexOf('\n') + 1) || head;
  return bytes === 0 || parseJsonLine(withoutByteOrderMark(line)) !== undefined;
}

/** Removes a byte order mark from text that was decoded as latin1. */
function withoutByteOrderMark(line: string): string {
  return line.replace(/^\u00EF\u00BB\u00BF/, '');
}

async function readJsonl(source: Source): Promise<ReadParts> {
  const jsonl = new JsonlSession();
  const lost = await consume(source, (chunk) => {
    jsonl.push(chunk);
    return true;
  });
  jsonl.end();
  const { header, messages, latest } = jsonl.fold;
  return { header, messages, latest, diagnostics: [...jsonl.diagnostics, ...lost] };
}

async function readJson(source: Source): Promise<ReadParts> {
  const json = new JsonSession();
  const lost = await consume(source, (chunk) => json.push(chunk));
  const { header, messages, damaged } = json;
  // The file may still be JSONL, with a first line that is garbage or very long.
  if (messages.length === 0 || json.isFollowed) {
    const jsonl = await readJsonl(source);
    if (jsonl.header !== undefined || jsonl.messages.length > 0) return jsonl;
    if (header === undefined && !json.isWhole) return jsonl;
  }
  const diagnostics: SessionDiagnostic[] = [...lost];
  if (damaged > 0) {
    const message = `${damaged} messages or headers have fields that cannot be read`;
    diagnostics.push({ kind: 'damaged-message', message });
  }
  if (!json.isWhole) {
    diagnostics.push({
      kind: 'truncated',
      message: 'The session file ends before its JSON object is complete',
    });
  }
  if (json.isFollowed) {
    diagnostics.push({
      kind: 'garbage',
      message: 'The session file has content after the end of its JSON object',
    });
  }
  return { header, messages, latest: messages, diagnostics };
}

/** Passes the file to `take` chunk by chunk. A read error ends the reading and is returned as a diagnostic. */
async function consume(
  source: Source,
  take: (chunk: Buffer) => boolean,
): Promise<SessionDiagnostic[]> {
  try {
    for await (const chunk of chunksOf(source)) if (!take(chunk)) break;
    return [];
  } catch (error) {
    return [
      { kind: 'lost', message: `The session file could not be read to its end: ${String(error)}` },
    ];
  }
}

/** Reads the file in chunks. The next chunk overwrites the previous one. */
async function* chunksOf({ file, size }: Source): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(size, CHUNK_BYTES));
  for (let offset = 0; offset < size; ) {
    const wanted = Math.min(buffer.length, size - offset);
    const { bytesRead } = await file.read(buffer, 0, wanted, offset);
    if (bytesRead === 0) return;
    offset += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
