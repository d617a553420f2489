import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/**
 * Opens a regular file, passes its descriptor to `read` and closes it. Never waits: a FIFO, a socket, a device and a
 * folder are refused. Undefined if the file does not exist, is no regular file, or cannot be read.
 */
export function readOpenedFile<T>(path: string, read: (fd: number) => T): T | undefined {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return fstatSync(fd).isFile() ? read(fd) : undefined;
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

/** Reads a small text file, such as a list of projects. Undefined as for `readOpenedFile`, and for a larger file. */
export function readSmallFile(path: string, mostBytes: number): string | undefined {
  return readOpenedFile(path, (fd) => {
    return fstatSync(fd).size > mostBytes ? undefined : readFileSync(fd, 'utf8');
  });
}
