import { type FileHandle, open } from 'node:fs/promises';
import type { Session, SessionDiagnostic } from '../../api/session.js';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { parseJsonLine } from '../../base/ndjson/parse-json-line.js';
import { JsonSession } from './json-session.js';
import { JsonlSession } from './jsonl-session.js';

const CHUNK_BYTES = 256 * 1024;
/** Longer lines are read piece by piece first: most likely the line is the whole file. */
const FIRST_LINE_BYTES = 1024 * 1024;

type ReadParts = Omit<Session, 'complete'>;

/** Reads a session file of either generation, piece by piece. Never throws for what is in it. */
export async function readSession(path: string): Promise<Session> {
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    const source = { file, size };
    const isJsonl = await beginsWithLine(source);
    const session = isJsonl ? await readJsonl(source) : await readJson(source);
    return judgeReading(session, size, (await file.stat()).size);
  } finally {
    await file.close();
  }
}

/** Whether a file was read to its end, by what was found in it and by its size before and after. */
export function judgeReading(session: ReadParts, sizeBefore: number, sizeAfter: number): Session {
  const { header, messages } = session;
  const diagnostics = [...session.diagnostics];
  if (sizeBefore === 0 && messages.length === 0 && header === undefined) {
    diagnostics.push({ kind: 'empty', message: 'The file is empty' });
  } else if (header === undefined) {
    diagnostics.push({ kind: 'no-header', message: 'Nothing says which session this is' });
  }
  if (sizeAfter > sizeBefore) {
    diagnostics.push({ kind: 'grew', message: 'The file grew while it was read' });
  }
  if (sizeAfter < sizeBefore) {
    diagnostics.push({ kind: 'truncated', message: 'The file was cut while it was read' });
  }
  return { ...session, diagnostics, complete: diagnostics.length === 0 };
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `The session file ${path} cannot be opened`,
      hint: messageOf(error),
      cause: error,
    });
  }
}

/** A file as far as it went when it was opened: somebody who writes all the time must not keep us reading. */
interface Source {
  readonly file: FileHandle;
  readonly size: number;
}

/** The older generation puts one object over many lines. The name does not tell: a copy may have any. */
async function beginsWithLine(source: Source): Promise<boolean> {
  let head = '';
  let bytes = 0;
  await consume(source, (chunk) => {
    head = `${head}${chunk.toString('latin1')}`.trimStart();
    bytes += chunk.length;
    return !head.includes('\n') && bytes < FIRST_LINE_BYTES;
  });
  const line = head.slice(0, head.indexOf('\n') + 1) || head;
  return bytes === 0 || parseJsonLine(withoutMark(line)) !== undefined;
}

/** A byte order mark, byte by byte. */
function withoutMark(line: string): string {
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
  // They may be lines all the same, of which the first is garbage or very long.
  if (messages.length === 0 || json.isFollowed) {
    const jsonl = await readJsonl(source);
    if (jsonl.header !== undefined || jsonl.messages.length > 0) return jsonl;
    if (header === undefined && !json.isWhole) return jsonl;
  }
  const diagnostics: SessionDiagnostic[] = [...lost];
  if (damaged > 0) {
    const message = `${damaged} things have a form that cannot be read`;
    diagnostics.push({ kind: 'damaged-message', message });
  }
  if (!json.isWhole) {
    diagnostics.push({ kind: 'truncated', message: 'The object does not come to its end' });
  }
  if (json.isFollowed) {
    diagnostics.push({
      kind: 'garbage',
      message: 'There is something after the end of the object',
    });
  }
  return { header, messages, latest: messages, diagnostics };
}

/** A file that can no longer be read gives what has been read by then. */
async function consume(
  source: Source,
  take: (chunk: Buffer) => boolean,
): Promise<SessionDiagnostic[]> {
  try {
    for await (const chunk of chunksOf(source)) if (!take(chunk)) break;
    return [];
  } catch (error) {
    return [{ kind: 'lost', message: `Reading ended early: ${String(error)}` }];
  }
}

/** The chunk is overwritten by the next one. */
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
