import { join, relative, resolve, sep } from 'node:path';
import { isInside, realpathOf } from '../../base/fs/paths.js';

export interface PathMap {
  readonly toIsolated: (path: string) => string;
  readonly toOriginal: (path: string) => string;
}

export interface MappedFolders {
  /** The whole of the original, and what stands for it. */
  readonly root: string;
  readonly tree: string;
  /** The working directory in the one, as the person names it, and in the other. */
  readonly workspaceDir: string;
  readonly dir: string;
}

/** Paths of the original as seen from the isolated workspace, and back. Paths outside of both stay as they are. */
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

/** By their names alone: what a link in the tree leads to is not what the path stands for. */
function isBelow(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== '..' && !inside.startsWith(`..${sep}`) && resolve(folder, inside) === path;
}
