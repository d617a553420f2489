import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The holder of a lock renews its time this often. */
const RENEW_MS = 10_000;
/** A lock that was not renewed for so long is stale even if its pid is alive: the pid belongs to another process. */
const STALE_MS = 5 * 60_000;
/** A guard of this age was left by a process that was killed: a guard is needed for some milliseconds. */
const STALE_GUARD_MS = 10_000;
const POLL_MS = 100;

/**
 * Runs work while this process holds the lock file. The file holds the pid, so that the lock of a dead process is
 * taken over.
 *
 * @template T
 * @param {string} lock
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(lock, work) {
  mkdirSync(dirname(lock), { recursive: true });
  while (!tryToTake(lock)) await sleep(POLL_MS);
  const renewing = setInterval(() => renew(lock), RENEW_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    if (isOwn(lock)) rmSync(lock, { force: true });
  }
}

/** @param {string} lock */
function renew(lock) {
  const now = new Date();
  if (isOwn(lock)) utimesSync(lock, now, now);
}

/**
 * Returns false if another process has taken the lock over, which happens when this process was suspended for long.
 *
 * @param {string} lock
 */
function isOwn(lock) {
  try {
    return readFileSync(lock, 'utf8') === String(process.pid);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/** @param {string} lock */
function tryToTake(lock) {
  if (createLock(lock)) return true;
  if (isStale(lock)) removeStaleLock(lock);
  return false;
}

/** @param {string} lock */
function createLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/**
 * Removes the lock under a guard: without it, the second of two processes would remove the new lock of the first.
 *
 * @param {string} lock
 */
function removeStaleLock(lock) {
  const guard = `${lock}.takeover`;
  try {
    mkdirSync(guard);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    if (ageOf(guard) > STALE_GUARD_MS) rmSync(guard, { recursive: true, force: true });
    return;
  }
  try {
    if (isStale(lock)) rmSync(lock, { force: true });
  } finally {
    rmSync(guard, { recursive: true, force: true });
  }
}

/** @param {string} lock */
function isStale(lock) {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    return ageOf(lock) > STALE_MS || (pid > 0 && !isAlive(pid));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/**
 * Returns the milliseconds since the last change of a file or folder, and 0 if it is gone.
 *
 * @param {string} path
 */
function ageOf(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 0 : Date.now() - stats.mtimeMs;
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/**
 * @param {unknown} error
 * @param {string} code
 */
function hasCode(error, code) {
  return error instanceof Error && 'code' in error && error.code === code;
}
