import { constants, createReadStream, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { messageOf } from '../base/errors/message-of.js';
import { statIfThere } from '../base/fs/stats.js';
import { toUtf8 } from './to-utf8.js';

export const STDIN = '/dev/stdin';

/** The pieces of a file, a pipe or `/dev/stdin`, as UTF-8; unzipped where it is gzipped. */
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
  // By its name it could not be opened where it is a socket. Of a folder Node would make an empty stream.
  if (path === STDIN && !statIfThere(path)?.isDirectory()) return process.stdin;
  if (!statSync(path).isFIFO()) return createReadStream(path);
  // An ordinary open waits for a writer in a thread that nothing can end: not even our own exit.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}

/** As many bytes as it takes to tell what it is. */
const START_BYTES = 3;

/** The same bytes, with a first piece that has enough of them, where there are. */
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

/** Its loop turns once: what comes behind the start is taken inside of it. */
async function* unzip(pieces: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer, void> {
  for await (const start of pieces) {
    const isZipped = start[0] === 0x1f && start[1] === 0x8b;
    const whole = putBack(start, pieces);
    // What goes wrong in the pipe comes out at its end.
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
