import { lstatSync, mkdirSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { Environment } from '../process/environment.js';

const PACKAGE = 'gemini-cli-provider';
const PRIVATE = 0o700;
const WRITABLE_BY_OTHERS = 0o022;
const UNUSED_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * A private folder below the user's cache directory, made if needed. The siblings of a new folder that were not opened
 * for 30 days are removed. Returns undefined where another user could write to the folder, or the disk refuses.
 */
export function openCacheFolder(name: string, environment: Environment): string | undefined {
  const base = findCacheDirectory(environment);
  const folder = join(base, PACKAGE, name);
  try {
    const isNew = mkdirSync(folder, { recursive: true, mode: PRIVATE }) !== undefined;
    for (let path = folder; path !== dirname(base); path = dirname(path))
      if (!isOurs(path)) return undefined;
    const now = new Date();
    // The time of the last change is the time of the last use.
    utimesSync(folder, now, now);
    if (isNew) removeUnused(dirname(folder), now);
    return folder;
  } catch {
    return undefined;
  }
}

function findCacheDirectory(environment: Environment): string {
  const home = environment['HOME'] || homedir();
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: localAppData } = environment;
  switch (process.platform) {
    case 'win32':
      return localAppData || join(home, 'AppData', 'Local');
    case 'darwin':
      return join(home, 'Library', 'Caches');
    default:
      return xdg !== undefined && isAbsolute(xdg) ? join(xdg) : join(home, '.cache');
  }
}

/** Windows has no owner and no mode to ask for; its profile folders are closed to others. */
function isOurs(path: string): boolean {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return false;
  if (process.getuid === undefined) return true;
  return stats.uid === process.getuid() && (stats.mode & WRITABLE_BY_OTHERS) === 0;
}

function removeUnused(folder: string, now: Date): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (now.getTime() - lstatSync(path).mtimeMs > UNUSED_MS)
      rmSync(path, { recursive: true, force: true });
  }
}
