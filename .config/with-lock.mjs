import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A lock of this age is stale even if its pid is alive: the pid may belong to another process by now. */
const STALE_MS = 5 * 60_000;
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
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
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
    if (hasCode(error, 'EEXIST')) return;
    throw error;
  }
  try {
    if (isStale(lock)) rmSync(lock, { force: true });
  } finally {
    rmdirSync(guard);
  }
}

/** @param {string} lock */
function isStale(lock) {
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    return Date.now() - statSync(lock).mtimeMs > STALE_MS || (pid > 0 && !isAlive(pid));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
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
