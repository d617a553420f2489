import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Windows has no such flag; there a path is opened as usual. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/** Flags for reading a file whose path must not be a link: a link that was put there meanwhile is not followed. */
export const READ_NO_LINK = constants.O_RDONLY | NO_FOLLOW;

/**
 * Opens a regular file and never waits: an ordinary open of a FIFO waits for the other end in a thread that nothing can
 * end, not even the exit of the process. Throws if the path leads to a FIFO, a socket, a device or a folder.
 */
export async function openRegularFile(
  path: string | Buffer,
  flags: number = constants.O_RDONLY,
): Promise<FileHandle> {
  const file = await open(path, flags | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (stats.isFile()) return file;
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  throw new Error(`${path} is not a regular file`);
}

/** Reads a regular file. Never waits for a FIFO, as `openRegularFile`. */
export async function readRegularFile(path: string, signal?: AbortSignal): Promise<Buffer> {
  const file = await openRegularFile(path);
  try {
    return await file.readFile({ signal });
  } finally {
    await file.close();
  }
}

/**
 * Reads a regular file synchronously, which is several times faster for a small one. Throws if the file has more than
 * `mostBytes`, or if the path leads to anything but a regular file; never waits for a FIFO.
 */
export function readRegularFileSync(
  path: string,
  mostBytes: number,
  flags: number = constants.O_RDONLY,
): Buffer {
  const file = openSync(path, flags | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error(`${path} is not a regular file`);
    if (stats.size > mostBytes) throw new Error(`${path} is larger than ${mostBytes} bytes`);
    const content = Buffer.allocUnsafe(stats.size);
    let length = 0;
    while (length < content.length) {
      const read = readSync(file, content, length, content.length - length, null);
      if (read === 0) break;
      length += read;
    }
    return content.subarray(0, length);
  } finally {
    closeSync(file);
  }
}
