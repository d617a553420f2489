import { existsSync, lstatSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { isInside } from '../../base/fs/paths.js';
import { InvalidParams } from './rpc-call.js';

/**
 * Returns the path. Throws if it is not absolute, or lies outside of the workspace after symbolic links are
 * followed.
 */
export function assertInWorkspace(given: unknown, workspaceDirs: readonly string[]): string {
  if (typeof given !== 'string' || !isAbsolute(given) || given.includes('\0')) {
    throw new InvalidParams('The path must be absolute');
  }
  // Resolve `..` first: after a symbolic link the system would resolve it to another folder than the check below.
  const path = resolve(given);
  if (isDanglingLink(path) || !workspaceDirs.some((dir) => isInside(dir, path))) {
    throw new InvalidParams(`${path} is outside of the workspace`);
  }
  return path;
}

/** Returns true for a symbolic link whose target is missing. A write through the link would create the target. */
function isDanglingLink(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isSymbolicLink() === true && !existsSync(path);
}
