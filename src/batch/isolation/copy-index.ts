import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { readStats } from './file-identity.js';

/**
 * Copies the index of a working tree with its modification time. By that time git finds files that may have changed
 * within the second of the last check, and reads their content again.
 */
export function copyIndex(from: string, to: string): void {
  let file: number;
  try {
    file = openSync(from, 'r');
  } catch (error) {
    if (readStats(from) !== undefined) throw error;
    // A repository without any added file has no index.
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
