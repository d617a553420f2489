import { relative } from 'node:path';
import { realpathOf, toSlashes } from '../../base/fs/paths.js';

/**
 * Returns the path of a file in the manifest. Falls back to the real working directory: tools report real paths, also if
 * the directory was given as a symlink.
 */
export function relativePath(workingDir: string, path: string): string {
  const direct = toSlashes(relative(workingDir, path));
  if (!direct.startsWith('..')) return direct;
  return toSlashes(relative(realpathOf(workingDir), path));
}
