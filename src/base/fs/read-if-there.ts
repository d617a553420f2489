import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/**
 * Reads a text file. Returns undefined if the file does not exist or cannot be read. A FIFO, a socket or a device counts
 * as unreadable: an ordinary open of a FIFO would block this process until a writer comes.
 */
export function readIfThere(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return fstatSync(file).isFile() ? readFileSync(file, 'utf8') : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
