import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';

/** Whether a path lies in a folder, links followed as far as the path exists. */
export function isInside(folder: string, path: string): boolean {
  const inside = relative(realpathOf(folder), realpathOf(path));
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

/** The real path, also of a file that does not exist (any more). */
export function realpathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realpathOf(parent), basename(path));
  }
}

/** The real place of a path that may itself be a link. */
export function canonicalPath(path: string): string {
  return join(realpathOf(dirname(path)), basename(path));
}

export function toSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}
