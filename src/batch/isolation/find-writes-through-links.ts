import { join } from 'node:path';
import { readFolder } from '../../base/fs/read-folder.js';
import { createEventLoopYield } from '../../base/process/yield-to-event-loop.js';
import { readFileIdentity } from './file-identity.js';

const FOLDERS_PER_YIELD = 32;
/** Enough to see what has happened. */
const MOST_NAMED = 20;

/** What was written, made or removed in folders since a moment, they themselves included. Links are not followed. */
export async function findWritesThroughLinks(
  folders: readonly string[],
  sinceNs: bigint,
): Promise<string[]> {
  // The clock of a file system stands still for some milliseconds: the same time may be later.
  const isWritten = (path: string): boolean => (readFileIdentity(path)?.mtimeNs ?? 0n) >= sinceNs;
  const found = folders.filter(
    (folder) => readFileIdentity(folder) === undefined || isWritten(folder),
  );
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
