import { join } from 'node:path';
import { readFolder } from '../../base/fs/read-folder.js';
import { lstatIfThere } from '../../base/fs/stats.js';

/** Adds up the sizes of a file, or of all files in a folder. Goes through no link. */
export function measurePath(path: string): number {
  const stats = lstatIfThere(path);
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.size;
  return readFolder(path).reduce((sum, { name }) => sum + measurePath(join(path, name)), 0);
}
