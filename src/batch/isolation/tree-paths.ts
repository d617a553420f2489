import { basename, dirname, join, relative, resolve } from 'node:path';
import { isInside, realpathOf } from '../../base/fs/paths.js';
import { type BytePath, toBytePath } from './byte-path.js';

/** Paths as a step names them, from its working directory, as paths below the tree. What lies elsewhere drops out. */
export function toTreePaths(tree: string, dir: string, paths: readonly string[]): BytePath[] {
  return paths.flatMap((path) => {
    const absolute = resolve(dir, path);
    const folder = realpathOf(dirname(absolute));
    if (!isInside(tree, folder)) return [];
    return toBytePath(relative(tree, join(folder, basename(absolute))));
  });
}
