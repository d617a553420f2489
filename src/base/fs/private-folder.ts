import { lstatSync, mkdirSync } from 'node:fs';
import { hasErrno } from '../errors/errno.js';

/** Mode of a folder that only its owner can read. */
const PRIVATE = 0o700;
const WRITABLE_BY_OTHERS = 0o022;

/** Makes a private folder. Returns false if the path already exists. */
export function makePrivateFolder(path: string): boolean {
  try {
    mkdirSync(path, { mode: PRIVATE });
    return true;
  } catch (error) {
    if (!hasErrno(error, 'EEXIST')) throw error;
    return false;
  }
}

/** Returns why other users could change the content of a folder; undefined if the folder is closed to them. */
export function findForeignAccess(path: string): string | undefined {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return 'is a symbolic link';
  if (!stats.isDirectory()) return 'is not a folder';
  // Windows has no owner and no mode to ask for; its profile folders are closed to others.
  if (process.getuid === undefined) return undefined;
  if (stats.uid !== process.getuid()) return `belongs to another user (uid ${stats.uid})`;
  return (stats.mode & WRITABLE_BY_OTHERS) === 0 ? undefined : 'is writable by other users';
}
