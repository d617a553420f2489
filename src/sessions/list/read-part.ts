import { readSync } from 'node:fs';

/** Some bytes of an open file, fewer where there are no more. */
export function readPart(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  return buffer.subarray(0, readSync(fd, buffer, 0, length, position));
}
