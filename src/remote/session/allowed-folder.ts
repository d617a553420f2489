import { realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { isInside } from '../../base/fs/paths.js';
import { refusal } from './refusal.js';

/**
 * Returns the canonical path of a folder in which a device may start a session. The folder must lie in one of the roots,
 * link by link and compared segment by segment. Throws INVALID_INPUT.
 */
export async function resolveAllowedFolder(
  folder: string,
  roots: readonly string[],
): Promise<string> {
  const refused = refusal(
    'Sessions can be started only in the folders that the desk has named',
    'Start the server with --root and the folder.',
  );
  if (!isAbsolute(folder) || folder.includes('\0')) throw refused;
  try {
    const path = await realpath(folder);
    const realRoots = await Promise.all(roots.map((root) => realpath(root).catch(() => undefined)));
    const isAllowed = realRoots.some((root) => root !== undefined && isInside(root, path));
    if (isAllowed && (await stat(path)).isDirectory()) return path;
  } catch {
    // A folder that is missing and one that is not allowed look the same from outside.
  }
  throw refused;
}
