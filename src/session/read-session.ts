import { type FileHandle, open } from 'node:fs/promises';
import type { Session, SessionDiagnostic } from '../contract/session.js';
import { parseJsonLine } from '../ndjson/parse-json-line.js';
import { SessionLines } from './session-lines.js';
import { WholeSession } from './whole-session.js';

const CHUNK_BYTES = 256 * 1024;
/** Longer lines are read piece by piece first: most likely the line is the whole file. */
const FIRST_LINE_BYTES = 1024 * 1024;

/** Reads a session file of either generation, piece by piece. Never throws for what is in it. */
export async function readSession(path: string): Promise<Session> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const session = (await beginsWithRecord(file)) ? await readLines(file) : await readWhole(file);
    return judge(session, size, (await file.stat()).size);
  } finally {
    await file.close();
  }
}

type ReadParts = Omit<Session, 'complete'>;

/** The older generation puts one object over many lines. The name does not tell: a copy may have any. */
async function beginsWithRecord(file: FileHandle): Promise<boolean> {
  let head = '';
  let bytes = 0;
  await consume(file, (chunk) => {
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
  // They may be lines all the same, of which the first is garbage or very long.
  if (messages.length === 0 || whole.isFollowed) {
    const lines = await readLines(file);
    if (lines.header !== undefined || lines.messages.length > 0) return lines;
    if (header === undefined && !whole.isWhole) return lines;
  }
  const diagnostics: SessionDiagnostic[] = [...lost];
  if (damaged > 0) {
    const message = `${damaged} things have a form that cannot be read`;
    diagnostics.push({ kind: 'damaged-message', message });
  }
  if (!whole.isWhole) {
    diagnostics.push({ kind: 'truncated', message: 'The object does not come to its end' });
  }
  if (whole.isFollowed) {
    diagnostics.push({
      kind: 'garbage',
      message: 'There is something after the end of the object',
    });
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
  if (sizeAfter < sizeBefore) {
    diagnostics.push({ kind: 'truncated', message: 'The file was cut while it was read' });
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
