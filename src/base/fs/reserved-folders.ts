import { sep } from 'node:path';
import { realpathOf } from './paths.js';

/** Folders that this process writes itself, with the number of their users. */
const reserved = new Map<string, number>();
/** Folders that were ever reserved, by every name. A step that has started meanwhile may still name them. */
const everReserved = new Set<string>();

/**
 * Reserves a folder for this process: no agent may change its files, and no step restores them, because this process
 * changes them at any time. Returns a function that ends the reservation.
 */
export function reserveFolder(path: string): () => void {
  reserved.set(path, (reserved.get(path) ?? 0) + 1);
  everReserved.add(path).add(realpathOf(path));
  let isReserved = true;
  return () => {
    const users = reserved.get(path) ?? 0;
    if (isReserved && users > 1) reserved.set(path, users - 1);
    else if (isReserved) reserved.delete(path);
    isReserved = false;
  };
}

export function listReservedFolders(): readonly string[] {
  return [...reserved.keys()];
}

/** Like `isInReservedFolder`, and links are followed. Asks the disk only if a folder was ever reserved. */
export function leadsToReservedFolder(path: string): boolean {
  return (
    everReserved.size > 0 && (isInReservedFolder(path) || isInReservedFolder(realpathOf(path)))
  );
}

/** True if the path is a folder that is or was reserved, or lies in one. */
export function isInReservedFolder(path: string): boolean {
  return [...everReserved].some((folder) => path === folder || path.startsWith(folder + sep));
}
