import { existsSync, lstatSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { isInside } from '../../base/fs/paths.js';

/** The path, if it is absolute and lies in the workspace once all symbolic links are followed. Throws else. */
export function assertInWorkspace(given: unknown, workspaceDirs: readonly string[]): string {
  if (typeof given !== 'string' || !isAbsolute(given) || given.includes('\0')) {
    throw new Error('The path must be absolute');
  }
  // Without `..`: after a symbolic link, the system takes it for another folder than the check would.
  const path = resolve(given);
  if (isDanglingLink(path) || !workspaceDirs.some((dir) => isInside(dir, path))) {
    throw new Error(`${path} is outside of the workspace`);
  }
  return path;
}

/** Writing through it would make a file wherever it points. */
function isDanglingLink(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isSymbolicLink() === true && !existsSync(path);
}
