import { join } from 'node:path';
import { createEventLoopYield } from '../process/yield-to-event-loop.js';
import { findRepository, type IgnoreRules, readIgnoreRules } from './ignore-rules.js';
import { readFolder } from './read-folder.js';

/** Folders are read synchronously, which is three times faster, so the event loop must run in between. */
const FOLDERS_PER_YIELD = 64;

export interface ListOptions {
  /** The folder above whose ignore files count too. Default: the repository that the root is part of now. */
  readonly rulesFrom?: string | undefined;
  /** Called for a folder that is there and cannot be read. */
  readonly onClosedFolder?: ((path: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The paths of all files and links below a folder that no ignore file excludes. Links to folders are not followed. */
export async function listFiles(
  root: string,
  ignoreFileNames: readonly string[],
  options: ListOptions = {},
): Promise<string[]> {
  const { rulesFrom = findRepository(root), onClosedFolder, signal } = options;
  const found: string[] = [];
  const pending = [{ folder: root, rules: readIgnoreRules(root, ignoreFileNames, rulesFrom) }];
  const eventLoop = createEventLoopYield({ every: FOLDERS_PER_YIELD, signal });
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const rules: IgnoreRules = next.rules.enter(next.folder);
    for (const entry of readFolder(next.folder, onClosedFolder)) {
      const path = join(next.folder, entry.name);
      if (rules.ignores(path, entry.isDirectory())) continue;
      if (entry.isDirectory()) pending.push({ folder: path, rules });
      else if (entry.isFile() || entry.isSymbolicLink()) found.push(path);
    }
    await eventLoop.spend(1);
  }
  return found;
}
