import { mkdirSync } from 'node:fs';
import { hasErrno } from '../errors/errno.js';

const PRIVATE = 0o700;
/** Another process has to remove the folder this often, each time within microseconds, before a write fails. */
const MOST_TRIES = 100;

/**
 * Makes the private folder and runs the function, which creates a file there. Other processes remove the folder when
 * they see it empty, which may be between the two: then both are done again.
 */
export function writeInSharedFolder<T>(folder: string, write: () => T): T {
  for (let tries = 1; ; tries += 1) {
    mkdirSync(folder, { recursive: true, mode: PRIVATE });
    try {
      return write();
    } catch (error) {
      if (tries >= MOST_TRIES || !hasErrno(error, 'ENOENT')) throw error;
    }
  }
}
