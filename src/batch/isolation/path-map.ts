import { join, relative, resolve, sep } from 'node:path';
import { isInside, realpathOf } from '../../base/fs/paths.js';

export interface PathMap {
  readonly toIsolated: (path: string) => string;
  readonly toOriginal: (path: string) => string;
}

export interface MappedFolders {
  /** Top folder of the original. `tree` is its counterpart in the isolated workspace. */
  readonly root: string;
  readonly tree: string;
  /** Working directory in the original, as the user names it. `dir` is its counterpart. */
  readonly workspaceDir: string;
  readonly dir: string;
}

/** Creates functions that map paths of the original to the isolated workspace and back. Other paths are not changed. */
export function createPathMap({ root, tree, workspaceDir, dir }: MappedFolders): PathMap {
  return {
    toIsolated: (path) => {
      const absolute = resolve(workspaceDir, path);
      return isInside(root, absolute) ? join(tree, relative(root, realpathOf(absolute))) : absolute;
    },
    toOriginal: (path) => {
      const absolute = resolve(dir, path);
      if (isBelow(dir, absolute)) return join(workspaceDir, relative(dir, absolute));
      return isBelow(tree, absolute) ? join(root, relative(tree, absolute)) : absolute;
    },
  };
}

/**
 * Compares names only and resolves no links, because a link in the tree must be mapped as itself, not as its target.
 */
function isBelow(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== '..' && !inside.startsWith(`..${sep}`) && resolve(folder, inside) === path;
}
