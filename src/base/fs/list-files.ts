import { join } from 'node:path';
import { createEventLoopYield } from '../process/yield-to-event-loop.js';
import { findRepository, type IgnoreRules, readIgnoreRules } from './ignore-rules.js';
import { findSyntheticMounts } from './mounts.js';
import { readFolder } from './read-folder.js';

/** Folders read between two yields. Synchronous reads are three times faster, but block the event loop. */
const FOLDERS_PER_YIELD = 64;

export interface ListOptions {
  /** Parent folder whose ignore files count too. Default: the repository that contains the root. */
  readonly rulesFrom?: string | undefined;
  /** Called for each folder that exists but cannot be read. */
  readonly onClosedFolder?: ((path: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Folders that are not listed. Default: mounts whose files are not on a disk. */
  readonly skipped?: ReadonlySet<string> | undefined;
}

/**
 * Lists all files and links below a folder that no ignore file excludes. Links to folders are not followed. Folders such as
 * `/proc` and `/sys` are left out: their files are not on a disk.
 */
export async function listFiles(
  root: string,
  ignoreFileNames: readonly string[],
  options: ListOptions = {},
): Promise<string[]> {
  const { rulesFrom = findRepository(root), onClosedFolder, signal } = options;
  const { skipped = findSyntheticMounts(root) } = options;
  const found: string[] = [];
  const pending = [{ folder: root, rules: readIgnoreRules(root, ignoreFileNames, rulesFrom) }];
  const eventLoop = createEventLoopYield({ every: FOLDERS_PER_YIELD, signal });
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const rules: IgnoreRules = next.rules.enter(next.folder);
    for (const entry of readFolder(next.folder, onClosedFolder)) {
      const path = join(next.folder, entry.name);
      if (rules.ignores(path, entry.isDirectory())) continue;
      if (entry.isDirectory()) {
        if (!skipped.has(path)) pending.push({ folder: path, rules });
      } else if (entry.isFile() || entry.isSymbolicLink()) found.push(path);
    }
    await eventLoop.spend(1);
  }
  return found;
}
