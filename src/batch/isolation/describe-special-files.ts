import { readdirSync } from 'node:fs';
import { createEventLoopYield } from '../../base/process/yield-to-event-loop.js';
import { type BytePath, describePath, onDisk } from './byte-path.js';
import type { LinkedFolder } from './linked-folders.js';

const FOLDERS_PER_YIELD = 32;
/** Limits the notes; the search ends there. */
const MOST_NAMED = 20;

/**
 * Describes FIFOs, sockets and devices in the tree of a step. A merge leaves them out, and git does not list them.
 * Reads names and types only, and follows no link.
 */
export async function describeSpecialFiles(
  tree: string,
  linked: readonly LinkedFolder[],
): Promise<string[]> {
  const skipped = new Set(linked.map(({ path }) => path));
  const pending: BytePath[] = [''];
  const found: BytePath[] = [];
  const eventLoop = createEventLoopYield({ every: FOLDERS_PER_YIELD });
  while (found.length < MOST_NAMED) {
    const folder = pending.pop();
    if (folder === undefined) break;
    await eventLoop.spend(1);
    for (const entry of readFolder(tree, folder)) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.name === '.git' || skipped.has(path)) continue;
      if (entry.isDirectory()) pending.push(path);
      else if (!entry.isFile() && !entry.isSymbolicLink()) found.push(path);
    }
  }
  return found.sort().map((path) => {
    return `Entry ${describePath(path)} is not a file, folder or link and was not merged`;
  });
}

function readFolder(tree: string, folder: BytePath) {
  try {
    return readdirSync(onDisk(tree, folder), { withFileTypes: true, encoding: 'latin1' });
  } catch {
    // The folder was removed meanwhile, or the step has made it unreadable.
    return [];
  }
}
