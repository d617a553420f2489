import { join } from 'node:path';
import { readFolder } from '../../base/fs/read-folder.js';
import { createEventLoopYield } from '../../base/process/yield-to-event-loop.js';
import { readStats } from './file-identity.js';

const FOLDERS_PER_YIELD = 32;
/** Limits the paths in the message; the search ends there. */
const MOST_NAMED = 20;

/**
 * Finds folders and files below `folders` that were written, created or removed since `sinceNs`. Does not follow
 * links.
 */
export async function findWritesThroughLinks(
  folders: readonly string[],
  sinceNs: bigint,
): Promise<string[]> {
  // An equal time counts as written: the clock of a file system advances only every few milliseconds.
  const isWritten = (path: string): boolean => (readStats(path)?.mtimeNs ?? 0n) >= sinceNs;
  const found = folders.filter((folder) => readStats(folder) === undefined || isWritten(folder));
  const pending = [...folders];
  const eventLoop = createEventLoopYield({ every: FOLDERS_PER_YIELD });
  while (found.length < MOST_NAMED) {
    const folder = pending.pop();
    if (folder === undefined) break;
    await eventLoop.spend(1);
    for (const entry of readFolder(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) pending.push(path);
      if (isWritten(path)) found.push(path);
    }
  }
  return found.slice(0, MOST_NAMED);
}
