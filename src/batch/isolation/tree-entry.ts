import type { BigIntStats } from 'node:fs';
import { type BytePath, foldersAbove, onDisk } from './byte-path.js';
import { readStats } from './file-identity.js';

/**
 * Reads the stats of an entry link by link: if a parent is a link or a file, the entry is not part of the tree and the
 * result is undefined. The system call alone would look through the link and find a file elsewhere.
 */
export function readEntry(
  root: string,
  path: BytePath,
  knownFolders: Set<BytePath> = new Set(),
): BigIntStats | undefined {
  const isReached = foldersAbove(path).every((folder) => isFolder(root, folder, knownFolders));
  return isReached ? readStats(onDisk(root, path)) : undefined;
}

/** Asks for the folder itself only: its parents are folders already. */
function isFolder(root: string, folder: BytePath, knownFolders: Set<BytePath>): boolean {
  if (knownFolders.has(folder)) return true;
  if (!readStats(onDisk(root, folder))?.isDirectory()) return false;
  knownFolders.add(folder);
  return true;
}
