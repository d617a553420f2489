import { constants, createReadStream, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { messageOf } from '../../base/errors/message-of.js';
import { statIfThere } from '../../base/fs/stats.js';
import { STDIN_NAME } from '../read-stdin.js';
import { toUtf8 } from './to-utf8.js';

const STDIN = '/dev/stdin';

/** True if the file means stdin. */
export function isStdin(path: string | undefined): boolean {
  return path === STDIN || path === STDIN_NAME;
}

/** Reads a file, a pipe or stdin (`-`, `/dev/stdin`) as UTF-8, piece by piece. Gzipped content is unzipped. */
export async function* readRecording(
  path: string,
  fail: (problem: string) => never,
): AsyncGenerator<Buffer, void> {
  try {
    yield* toUtf8(unzip(gatherStart(open(path))));
  } catch (error) {
    fail(`${path}: ${messageOf(error)}`);
  }
}

function open(path: string): Readable {
  // `process.stdin` is used because a socket cannot be opened by path; a folder there would be an empty stream.
  if (isStdin(path) && !statIfThere(STDIN)?.isDirectory()) return process.stdin;
  if (!statSync(path).isFIFO()) return createReadStream(path);
  // O_NONBLOCK: an ordinary open waits for a writer in a thread that nothing can end, not even the exit of the process.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}

/** Number of bytes that are needed to recognise gzip and byte order marks. */
const START_BYTES = 3;

/** Yields the same bytes. The first piece has at least START_BYTES, unless the whole input is shorter. */
async function* gatherStart(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let start: Buffer | undefined = Buffer.alloc(0);
  for await (const piece of pieces) {
    if (start === undefined) {
      yield piece;
      continue;
    }
    start = Buffer.concat([start, piece]);
    if (start.length < START_BYTES) continue;
    yield start;
    start = undefined;
  }
  if (start !== undefined) yield start;
}

/** Unzips gzipped content. The loop runs once, because its body reads all pieces after the first. */
async function* unzip(pieces: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer, void> {
  for await (const start of pieces) {
    const isZipped = start[0] === 0x1f && start[1] === 0x8b;
    const whole = putBack(start, pieces);
    // The callback ignores errors, because the last stream of the pipeline throws them to its reader.
    yield* isZipped ? gatherStart(pipeline(Readable.from(whole), createGunzip(), () => {})) : whole;
  }
}

async function* putBack(
  start: Buffer,
  rest: AsyncGenerator<Buffer, void>,
): AsyncGenerator<Buffer, void> {
  yield start;
  yield* rest;
}
