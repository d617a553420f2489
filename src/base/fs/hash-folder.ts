import { createEventLoopYield } from '../process/yield-to-event-loop.js';
import { readFileState } from './fingerprint.js';
import { listFiles } from './list-files.js';
import { lstatIfThere } from './stats.js';

const IGNORE_FILES = ['.gitignore', '.geminiignore'];
const FILES_PER_YIELD = 64;
/** Hashing takes about two seconds for a gigabyte. A larger file counts as unreadable: no step waits for its hash. */
const LARGEST_HASHED_BYTES = 256 * 1024 * 1024;

/** Hash of a file that cannot be read, or that is too large. */
export const UNREADABLE_HASH = '';

/** Hashes all files of a folder that no ignore file excludes, by path. Throws the reason of the signal if that is aborted. */
export async function hashFolder(
  folder: string,
  signal?: AbortSignal,
): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  const eventLoop = createEventLoopYield({ every: FILES_PER_YIELD, signal });
  for (const path of await listFiles(folder, IGNORE_FILES, { signal })) {
    const isVast = (lstatIfThere(path)?.size ?? 0) > LARGEST_HASHED_BYTES;
    const state = isVast ? undefined : await readFileState(path, signal);
    hashes[path] = state?.sha256 ?? UNREADABLE_HASH;
    await eventLoop.spend(1);
  }
  return hashes;
}
