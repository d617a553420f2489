import { closeSync, constants, openSync, readSync } from 'node:fs';

const PIECE_BYTES = 64 * 1024;

/** Reads the first bytes of a file, at most `mostBytes`. Never waits for a pipe, because the open does not block. */
export function readBeginning(path: string, mostBytes: number): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const pieces: Buffer[] = [];
    for (let missing = mostBytes; missing > 0; ) {
      const piece = Buffer.alloc(Math.min(PIECE_BYTES, missing));
      const length = readSync(file, piece);
      if (length === 0) break;
      pieces.push(piece.subarray(0, length));
      missing -= length;
    }
    return Buffer.concat(pieces);
  } finally {
    closeSync(file);
  }
}
