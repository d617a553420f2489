import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { markedFolderName } from '../../batch/isolation/marked-folder.js';

/** Most trees that wait for another attempt on the same base. */
const MOST_SPARES = 8;
const SPARE = /^([0-9a-f]+)-([0-9a-f]{16})$/;

/** Folder of one attempt. */
export interface AttemptFolder {
  readonly id: string;
  readonly folder: string;
}

/** Folders of a cache between which trees move. */
export interface SpareFolders {
  readonly attempts: string;
  readonly spares: string;
}

interface SpareTree {
  readonly path: string;
  readonly base: string;
  readonly id: string;
}

/**
 * Keeps the folder of an ended attempt for a later one on the same base. Files that no step has touched need not be written
 * again: a checkout of thousands of files costs more than everything else in a step.
 */
export function keepSpare(
  cache: SpareFolders,
  base: string,
  { folder, id }: AttemptFolder,
): boolean {
  const spares = listSpares(cache);
  if (spares.length >= MOST_SPARES)
    removeSpare(spares.find((spare) => spare.base !== base) ?? spares[0]);
  try {
    renameSync(folder, join(cache.spares, `${base}-${id}`));
    return true;
  } catch {
    return false;
  }
}

/** Takes a kept folder for a new attempt. Of several workers, the one whose rename succeeds gets the folder. */
export function takeSpare(cache: SpareFolders, base: string): AttemptFolder | undefined {
  for (const spare of listSpares(cache)) {
    if (spare.base !== base) continue;
    const folder = join(cache.attempts, markedFolderName(spare.id));
    try {
      renameSync(spare.path, folder);
      return { id: spare.id, folder };
    } catch {
      // Another worker was faster.
    }
  }
  return undefined;
}

function listSpares(cache: SpareFolders): SpareTree[] {
  if (!existsSync(cache.spares)) return [];
  return readdirSync(cache.spares).flatMap((name) => {
    const [, base, id] = SPARE.exec(name) ?? [];
    return base === undefined || id === undefined
      ? []
      : { path: join(cache.spares, name), base, id };
  });
}

function removeSpare(spare: SpareTree | undefined): void {
  if (spare === undefined) return;
  try {
    renameSync(spare.path, `${spare.path}.old`);
    rmSync(`${spare.path}.old`, { recursive: true, force: true });
  } catch {
    // Another worker has taken it, or a step has left a folder that cannot be removed now.
  }
}
