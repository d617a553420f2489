import { existsSync, lstatSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, sep } from 'node:path';
import type { Environment } from '../process/environment.js';
import { findForeignAccess, makePrivateFolder } from './private-folder.js';

const PACKAGE = 'gemini-cli-provider';
const UNUSED_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Opens a private folder below the user's cache directory, and creates the folder if needed. Siblings of a new folder
 * that were not opened for 30 days are removed. Returns undefined if another user could write to the folder, if the path
 * has a link or is relative, or if the disk refuses.
 */
export function openCacheFolder(name: string, environment: Environment): string | undefined {
  const base = findCacheDirectory(environment);
  if (!isAbsolute(base)) return undefined;
  try {
    // The home itself is never created: a wrong HOME must not leave folders behind.
    if (!existsSync(base) && !isOurs(dirname(base))) return undefined;
    let folder = base;
    let isNew = makePrivateFolder(base);
    // Each folder is checked before the next one is made in it, so that nothing is written behind a link.
    for (const part of join(PACKAGE, name).split(sep)) {
      if (!isOurs(folder)) return undefined;
      folder = join(folder, part);
      isNew = makePrivateFolder(folder);
    }
    if (!isOurs(folder)) return undefined;
    const now = new Date();
    // The time of the last change is the time of the last use.
    utimesSync(folder, now, now);
    if (isNew) removeUnused(dirname(folder), now);
    return folder;
  } catch {
    return undefined;
  }
}

/** Returns the cache directory of the user, as the conventions of the platform have it. */
export function findCacheDirectory(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): string {
  const home = environment['HOME'] || homedir();
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: localAppData } = environment;
  switch (platform) {
    case 'win32':
      return localAppData || join(home, 'AppData', 'Local');
    case 'darwin':
      return join(home, 'Library', 'Caches');
    default:
      return xdg !== undefined && isAbsolute(xdg) ? join(xdg) : join(home, '.cache');
  }
}

function isOurs(path: string): boolean {
  return findForeignAccess(path) === undefined;
}

function removeUnused(folder: string, now: Date): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (now.getTime() - lstatSync(path).mtimeMs > UNUSED_MS)
      rmSync(path, { recursive: true, force: true });
  }
}
