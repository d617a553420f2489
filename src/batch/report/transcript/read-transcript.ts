import type { FileHandle } from 'node:fs/promises';
import { openRegularFile, READ_NO_LINK } from '../../../base/fs/regular-file.js';
import { isObject } from '../../../base/json/is-object.js';
import { LineFramer } from '../../../base/ndjson/line-framer.js';
import { TranscriptBuilder } from './build-transcript.js';
import type { Transcript } from './transcript.js';

/** Bytes at the end of `events.jsonl` that are read. */
const TAIL_BYTES = 4 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;
const LONGEST_LINE_BYTES = 2 * 1024 * 1024;

/** Events that repeat what other events say. Their lines may be very long and are not parsed. */
const REPEATING = /"type":"(session-messages|available-commands|config-options)"/;
const HEAD = 400;

export interface ReadTranscript {
  readonly transcript: Transcript;
  readonly bytesRead: number;
}

/**
 * Reads the transcript of a step from its `events.jsonl`. Undefined if the file is not there, or is not a regular file:
 * agents may be able to write to the output folder.
 */
export async function readTranscript(
  path: string,
  denied: ReadonlySet<string>,
): Promise<ReadTranscript | undefined> {
  const file = await openRegularFile(path, READ_NO_LINK).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - TAIL_BYTES);
    const builder = new TranscriptBuilder(denied);
    const bytesRead = await readLines(file, start, builder);
    return { transcript: builder.build(start > 0), bytesRead };
  } catch {
    return undefined;
  } finally {
    await file.close().catch(() => {});
  }
}

async function readLines(
  file: FileHandle,
  start: number,
  builder: TranscriptBuilder,
): Promise<number> {
  // The first line of a tail is incomplete and is no JSON.
  const framer = new LineFramer({
    maxLineBytes: LONGEST_LINE_BYTES,
    onLine: (line) => {
      if (REPEATING.test(line.slice(0, HEAD))) return;
      const event = parse(line);
      if (event !== undefined) builder.add(event);
    },
  });
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  let position = start;
  while (position - start < TAIL_BYTES) {
    const { bytesRead } = await file.read(piece, 0, piece.length, position);
    if (bytesRead === 0) break;
    framer.push(piece.subarray(0, bytesRead));
    position += bytesRead;
  }
  framer.end();
  return position - start;
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
