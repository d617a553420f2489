import { type FileHandle, open } from 'node:fs/promises';
import type { Session, SessionDiagnostic } from '../contract/session.js';
import { ProviderError } from '../errors/provider-error.js';
import { parseJsonLine } from '../ndjson/parse-json-line.js';
import { SessionLines } from './session-lines.js';
import { WholeSession } from './whole-session.js';

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 10;

/** Reads a session file of either generation, piece by piece. Never throws for what is in it. */
export async function readSession(path: string): Promise<Session> {
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    const session = (await beginsWithRecord(file)) ? await readLines(file) : await readWhole(file);
    return judge(session, size, (await file.stat()).size);
  } finally {
    await file.close();
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    throw new ProviderError({
      code: 'INVALID_INPUT',
      message: `The session file ${path} cannot be opened`,
      hint: error instanceof Error ? error.message : String(error),
      cause: error,
    });
  }
}

type ReadParts = Omit<Session, 'complete'>;

/** The older generation puts one object over many lines. The name does not tell: a copy may have any. */
async function beginsWithRecord(file: FileHandle): Promise<boolean> {
  const parts: Buffer[] = [];
  for await (const chunk of chunksOf(file)) {
    const newline = chunk.indexOf(NEWLINE);
    parts.push(Buffer.from(newline === -1 ? chunk : chunk.subarray(0, newline)));
    if (newline !== -1) break;
  }
  return parts.length === 0 || parseJsonLine(Buffer.concat(parts).toString()) !== undefined;
}

async function readLines(file: FileHandle): Promise<ReadParts> {
  const lines = new SessionLines();
  const lost = await consume(file, (chunk) => {
    lines.push(chunk);
    return true;
  });
  lines.end();
  const { header, messages, latest } = lines.fold;
  return { header, messages, latest, diagnostics: [...lines.diagnostics, ...lost] };
}

async function readWhole(file: FileHandle): Promise<ReadParts> {
  const whole = new WholeSession();
  const lost = await consume(file, (chunk) => whole.push(chunk));
  const { header, messages, damaged } = whole;
  // Lines of which only the first is garbage.
  if (messages.length === 0 && !whole.isWhole) {
    const lines = await readLines(file);
    if (header === undefined || lines.messages.length > 0) return lines;
  }
  const diagnostics: SessionDiagnostic[] = [...lost];
  if (damaged > 0) {
    const message = `${damaged} messages have fields of a form that cannot be read`;
    diagnostics.push({ kind: 'damaged-message', message });
  }
  if (!whole.isWhole) {
    diagnostics.push({ kind: 'truncated', message: 'The object does not come to its end' });
  }
  return { header, messages, latest: messages, diagnostics };
}

function judge(session: ReadParts, sizeBefore: number, sizeAfter: number): Session {
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
  return { ...session, diagnostics, complete: diagnostics.length === 0 };
}

/** A file that can no longer be read gives what has been read by then. */
async function consume(
  file: FileHandle,
  take: (chunk: Buffer) => boolean,
): Promise<SessionDiagnostic[]> {
  try {
    for await (const chunk of chunksOf(file)) if (!take(chunk)) break;
    return [];
  } catch (error) {
    return [{ kind: 'lost', message: `Reading ended early: ${String(error)}` }];
  }
}

/** The chunk is overwritten by the next one. */
async function* chunksOf(file: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let offset = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, offset);
    if (bytesRead === 0) return;
    offset += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
