import { type FileHandle, open } from 'node:fs/promises';
import type { Session, SessionDiagnostic } from '../../api/session.js';
import { messageOf } from '../../base/errors/message-of.js';
import { ProviderError } from '../../base/errors/provider-error.js';
import { parseJsonLine } from '../../base/ndjson/parse-json-line.js';
import { JsonSession } from './json-session.js';
import { JsonlSession } from './jsonl-session.js';
import { judgeReading, type ReadParts } from './judge-reading.js';

const CHUNK_BYTES = 256 * 1024;
/** Longer lines are read piece by piece first: most likely the line is the whole file. */
const FIRST_LINE_BYTES = 1024 * 1024;

/** Reads a session file of either generation, piece by piece. Never throws for what is in it. */
export async function readSession(path: string): Promise<Session> {
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    const source = { file, size };
    const isLines = await beginsWithRecord(source);
    const session = isLines ? await readLines(source) : await readWhole(source);
    return judgeReading(session, size, (await file.stat()).size);
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
async function beginsWithRecord(source: Source): Promise<boolean> {
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

async function readLines(source: Source): Promise<ReadParts> {
  const lines = new JsonlSession();
  const lost = await consume(source, (chunk) => {
    lines.push(chunk);
    return true;
  });
  lines.end();
  const { header, messages, latest } = lines.fold;
  return { header, messages, latest, diagnostics: [...lines.diagnostics, ...lost] };
}

async function readWhole(source: Source): Promise<ReadParts> {
  const whole = new JsonSession();
  const lost = await consume(source, (chunk) => whole.push(chunk));
  const { header, messages, damaged } = whole;
  // They may be lines all the same, of which the first is garbage or very long.
  if (messages.length === 0 || whole.isFollowed) {
    const lines = await readLines(source);
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
