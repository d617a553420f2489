import { basename, dirname, join, relative, resolve } from 'node:path';
import { isInside, realpathOf } from '../../base/fs/paths.js';
import { type BytePath, toBytePath } from './byte-path.js';

/**
 * Maps paths, relative to the working directory of a step, to paths below the tree. Paths outside of the tree drop
 * out.
 */
export function toTreePaths(tree: string, dir: string, paths: readonly string[]): BytePath[] {
  return paths.flatMap((path) => {
    const absolute = resolve(dir, path);
    const folder = realpathOf(dirname(absolute));
    if (!isInside(tree, folder)) return [];
    return toBytePath(relative(tree, join(folder, basename(absolute))));
  });
}
