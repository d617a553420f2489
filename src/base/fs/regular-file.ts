import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

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
