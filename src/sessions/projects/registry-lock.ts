import { mkdirSync, rmdirSync, type Stats } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasErrno } from '../../base/errors/errno.js';
import { lstatIfThere } from '../../base/fs/stats.js';

/** Pause between two tries. The CLI holds its lock for a few milliseconds. */
const RETRY_MS = 20;
/**
 * Age at which the CLI takes a lock for abandoned. A lock of this package is given up well before: its holder may have
 * been suspended.
 */
const STALE_MS = 10_000;

/**
 * Runs `work` while this process holds the CLI's lock of a file: the folder `FILE.lock`, as the library
 * `proper-lockfile` creates it. The work is synchronous, so the lock is held for a moment only. `work` gets a function
 * that tells whether the lock is still held; `work` must ask before it replaces the file. Returns undefined if the lock
 * is not free in time. An abandoned lock is left to the CLI, which removes it.
 */
export async function withRegistryLock<T>(
  file: string,
  limitMs: number,
  work: (isHeld: () => boolean) => T,
): Promise<T | undefined> {
  const lock = `${file}.lock`;
  const endMs = performance.now() + limitMs;
  while (!tryCreate(lock)) {
    if (performance.now() >= endMs || isAbandoned(lock)) return undefined;
    await sleep(RETRY_MS + Math.random() * RETRY_MS);
  }
  const own = lstatIfThere(lock);
  const startedMs = performance.now();
  const isHeld = (): boolean => {
    return performance.now() - startedMs < STALE_MS / 2 && isSame(own, lstatIfThere(lock));
  };
  try {
    return work(isHeld);
  } finally {
    if (isSame(own, lstatIfThere(lock))) rmdirSync(lock);
  }
}

function tryCreate(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (hasErrno(error, 'EEXIST')) return false;
    throw error;
  }
}

function isAbandoned(lock: string): boolean {
  return Date.now() - (lstatIfThere(lock)?.mtimeMs ?? Date.now()) > STALE_MS;
}

function isSame(own: Stats | undefined, now: Stats | undefined): boolean {
  return own !== undefined && own.ino === now?.ino && own.mtimeMs === now.mtimeMs;
}
