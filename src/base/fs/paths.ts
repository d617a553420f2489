import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';

/** True if the path lies in the folder. Links are followed as far as the path exists. */
export function isInside(folder: string, path: string): boolean {
  const inside = relative(realpathOf(folder), realpathOf(path));
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

/** Returns the real path. For a path that does not exist, links of its existing parents are followed. */
export function realpathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realpathOf(parent), basename(path));
  }
}

/** Returns the path with the links of its parent folders followed, but not a link at its end. */
export function canonicalPath(path: string): string {
  return join(realpathOf(dirname(path)), basename(path));
}

/** Writes a path with forward slashes, on every platform. */
export function toSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}

/** Returns the deepest folder that contains all given folders. */
export function findCommonFolder(folders: ReadonlySet<string>): string {
  let [common = ''] = folders;
  for (const folder of folders) {
    // Folders on two drives of Windows have no common folder: the loop ends at the root of a drive.
    while (!isInside(common, folder) && dirname(common) !== common) common = dirname(common);
  }
  return common;
}
