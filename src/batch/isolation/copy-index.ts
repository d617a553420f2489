import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { readFileIdentity } from './file-identity.js';

/**
 * Copies the index of a working tree. Its time must be that of the original: by it git knows which files may have
 * been changed within the second in which they were last looked at, and looks into them once more.
 */
export function copyIndex(from: string, to: string): void {
  let file: number;
  try {
    file = openSync(from, 'r');
  } catch (error) {
    if (readFileIdentity(from) !== undefined) throw error;
    // A repository to which nothing was ever added has none.
    rmSync(to, { force: true });
    return;
  }
  try {
    const { atime, mtime } = fstatSync(file);
    writeFileSync(to, readFileSync(file));
    utimesSync(to, atime, mtime);
  } finally {
    closeSync(file);
  }
}
