import { existsSync, lstatSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { isInside } from '../workspace/paths.js';

/** The path, if it is absolute and lies in the workspace once all symbolic links are followed. Throws else. */
export function assertInWorkspace(path: unknown, workspaceDirs: readonly string[]): string {
  if (typeof path !== 'string' || !isAbsolute(path) || path.includes('\0')) {
    throw new Error('The path must be absolute');
  }
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
